import path from 'node:path'

import type {
  CallContext,
  Failure,
  Gatekeeper,
  NativeCancel,
  NativePolicy,
  NativePool
} from './binding.js'
import { illFormedPath } from './failure.js'
import { meanings } from './typed-path.js'

/** Methods of a workspace that its class or its owner has overridden. */
export interface HostRules {
  normalize?: ((input: string) => string) | undefined
  canRead?: ((path: string) => boolean) | undefined
  canWrite?: ((path: string) => boolean) | undefined
}

/** What an operation works with: configuration and current path as they were at the call. */
export interface Snapshot {
  readonly policy: NativePolicy
  /** Absolute path that relative ones are resolved against. */
  readonly cwd: string
  /** Present only if something is overridden. */
  readonly rules?: HostRules | undefined
}

/** A path that may be handed to the addon, or why it may not. */
export type Admission = { path: string; failure?: undefined } | { path?: undefined; failure: Failure }

/**
 * Checks a typed path before the addon gets it: that it can be encoded, and that the host's own
 * rules agree. The addon then applies the policy.
 *
 * @param snapshot - The operation's snapshot.
 * @param raw - The path as typed.
 * @param write - Whether the operation changes something.
 */
export function admit(snapshot: Snapshot, raw: string, write: boolean): Admission {
  const { rules, policy, cwd } = snapshot
  if (!raw.isWellFormed()) {
    const isGranted = policy.allows(cwd, raw.toWellFormed(), write)
    return { failure: isGranted ? illFormedPath(raw) : refusal(path.resolve(cwd, raw)) }
  }
  if (!rules) return { path: raw }
  const own = rules.normalize?.(raw.trim())
  const candidates =
    own === undefined ? meanings(raw).map((meant) => policy.normalize(cwd, meant)) : [own]
  const refused = candidates.find((meant) => !agree(rules, meant, write))
  if (refused !== undefined) return { failure: refusal(refused) }
  return { path: own ?? raw }
}

/**
 * What the addon takes with every call.
 *
 * @param snapshot - The operation's snapshot.
 * @param more - Handle that ends the operation, and pool of what has been read.
 */
export function callContext(
  snapshot: Snapshot,
  more: { cancel?: NativeCancel | undefined; pool?: NativePool | undefined } = {}
): CallContext {
  const { policy, cwd, rules } = snapshot
  const context: CallContext = { policy, cwd }
  if (more.cancel) context.cancel = more.cancel
  if (more.pool) context.pool = more.pool
  if (rules?.canRead || rules?.canWrite) context.gatekeeper = gatekeeper(rules)
  return context
}

/** The host's rules as the addon asks them, for the entries that an operation meets. */
function gatekeeper(rules: HostRules): Gatekeeper {
  return (write, paths) => paths.map((entry) => agree(rules, entry, write))
}

/**
 * Whether no override refuses; the right to write includes the right to read.
 *
 * @param rules - What is overridden.
 * @param absolute - The path in question.
 * @param write - The right in question.
 */
export function agree(rules: HostRules, absolute: string, write: boolean): boolean {
  if (rules.canRead && !isYes(rules.canRead(absolute))) return false
  return !write || !rules.canWrite || isYes(rules.canWrite(absolute))
}

/** An async override answers with a promise, which is no leave: its verdict comes too late. */
function isYes(verdict: unknown): boolean {
  return Boolean(verdict) && typeof verdict !== 'object'
}

function refusal(absolute: string): Failure {
  return {
    code: 'ERR_NOT_GRANTED',
    message: `Access denied: the rules of this workspace refuse '${absolute}'`,
    path: absolute
  }
}
