// Reads one large file 400 times in one call and prints each status and by how much the peak of memory rose.
import * as api from '../../../index.js'

const [directory] = process.argv.slice(2)
const access = { type: api.AccessType.Read, path: directory }
const workspace = new api.Workspace(new api.DirectoryConfiguration([access]))
const read = new api.ReadFileTool(workspace)
await read.execute({ paths: ['large.txt'], start_line: 1, end_line: 1 })
const before = process.resourceUsage().maxRSS
const results = await read.execute({ paths: Array(400).fill('large.txt') })
const rise = (process.resourceUsage().maxRSS - before) * 1024
console.log(JSON.stringify({ status: results.map(({ status }) => status), rise }))
