// Provokes one panic in an addon that was built for it, and shows that the process lives on.
// Usage: node panic.mjs ADDON KIND
import { setTimeout as pause } from 'node:timers/promises'

const [file, kind] = process.argv.slice(2)
const holder = { exports: {} }
process.dlopen(holder, file)
const addon = holder.exports

const kinds = {
  sync: () => addon.panicSync(),
  constructor: () => new addon.PanicProbe(true),
  getter: () => new addon.PanicProbe(false).value,
  job: () => addon.panicJob(),
  async: () => addon.panicAsync(),
  answer: () => addon.panicAnswer(),
  callback: () => addon.panicCallback(() => undefined)
}

// An export that waits must reject its promise, not throw.
let how = 'threw'
let caught
try {
  const answer = kinds[kind]()
  how = 'rejected'
  // The promise alone need not keep the process alive while a callback is awaited.
  await Promise.race([answer, pause(20_000).then(() => Promise.reject(new Error('never settled')))])
  how = 'returned'
} catch (error) {
  caught = error
}
await pause(20)
console.log(JSON.stringify({ how, isError: caught instanceof Error, code: caught?.code, message: caught?.message }))
process.exit()
