// Pages through a file and tells what that costs. Needs Linux, whose /proc counts it.
// Usage: node paging.mjs ENTRY_URL FILE OFFSET...
import { readFileSync } from 'node:fs'
import { basename, dirname } from 'node:path'

const [entry, file, ...offsets] = process.argv.slice(2)

/** @param {string} name */
const counter = (name, of) => Number(new RegExp(`^${name}:\\s+(\\d+)`, 'm').exec(readFileSync(`/proc/self/${of}`, 'utf8'))?.[1])
const bytesRead = () => counter('rchar', 'io')
const peakBytes = () => counter('VmHWM', 'status') * 1024

const { SecureReader } = await import(entry)
const reader = new SecureReader(dirname(file))
const other = new SecureReader(dirname(process.argv[1]))
await other.read(basename(process.argv[1]))

const pages = []
const peak = peakBytes()
for (const offset of offsets.map(Number)) {
  const before = bytesRead()
  const { content, details } = await reader.read(basename(file), { offset, limit: 10 })
  pages.push({ lines: content[0].text.split('\n').length, total: details.totalLines, read: bytesRead() - before })
}
process.stdout.write(JSON.stringify({ pages, grown: peakBytes() - peak }))
