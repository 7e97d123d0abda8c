import { execFile } from 'node:child_process'

/** What a finished child process left behind. */
export interface Finished {
  code: number
  stdout: string
  stderr: string
}

/** Where and for how long a child process runs. */
export interface CommandOptions {
  cwd?: string
  /** Milliseconds after which the child is killed. */
  timeout?: number
  env?: NodeJS.ProcessEnv
}

/**
 * The environment without what npm tells its scripts about the package they belong to, and without
 * the variables that configure a workspace: a child must not inherit either.
 */
export function plainEnvironment(): NodeJS.ProcessEnv {
  const foreign = /^(npm_(package|lifecycle|command|config_(local|global)_prefix)|INIT_CWD|LLM_CHAT_|VITEST|NODE_OPTIONS)/
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => !foreign.test(name)))
}

/** Runs a program to its end; never rejects for an exit code. */
export function run(program: string, args: string[], options: CommandOptions = {}): Promise<Finished> {
  return new Promise((resolve) => {
    const child = execFile(
      program,
      args,
      {
        cwd: options.cwd,
        timeout: options.timeout ?? 60_000,
        killSignal: 'SIGKILL',
        maxBuffer: 64 * 1024 * 1024,
        env: options.env ?? plainEnvironment(),
        // npm is a batch file on Windows, which only a shell starts.
        shell: process.platform === 'win32' && program === 'npm'
      },
      (error, stdout, stderr) => {
        const code = child.exitCode ?? (error ? -1 : 0)
        resolve({ code, stdout, stderr: error && code === -1 ? `${stderr}${error.message}` : stderr })
      }
    )
    child.stdin?.end()
  })
}

/** The same for a program that must succeed; gives its standard output. */
export async function runOrThrow(program: string, args: string[], options: CommandOptions = {}): Promise<string> {
  const { code, stdout, stderr } = await run(program, args, options)
  if (code !== 0) {
    throw new Error(`${program} ${args.join(' ')} ended with ${code}\n${stdout}\n${stderr}`)
  }
  return stdout
}
