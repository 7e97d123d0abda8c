// One side of a storm of edits: a workspace of its own that inserts tokens, in this thread or in a worker.
import { parentPort, workerData } from 'node:worker_threads'

/**
 * What an edit said.
 * @typedef {object} Said
 * @property {string} token what was to be inserted
 * @property {boolean} done whether the edit was acknowledged
 * @property {string} text what the tool answered
 */

/**
 * @param {typeof import('../index.js')} api
 * @param {string} directory the only grant, writable
 * @param {{resolveSymlinks?: boolean, hardLinks?: import('../index.js').HardLinks}} [options]
 */
export function makeEditor(api, directory, { resolveSymlinks = false, hardLinks = 'replace' } = {}) {
  const limits = new api.FileConfiguration(undefined, undefined, undefined, 'none', hardLinks)
  const access = { type: api.AccessType.Write, path: directory }
  const workspace = new api.Workspace(new api.DirectoryConfiguration([access], [], resolveSymlinks))
  const tools = new api.FileToolPackage(workspace, undefined, limits).tools()
  const byName = new Map(tools.map((tool) => [tool.name, tool]))
  /** @param {string} name @param {object} args */
  const call = (name, args) => byName.get(name).execute(args)
  return {
    workspace,
    call,
    /** @param {string} path */
    read: (path) => call('read_file', { paths: [path] }),
    /**
     * Inserts a token as a line of its own, by one of three tools.
     * @param {string} path
     * @param {string} token
     * @param {number} way
     * @returns {Promise<Said>}
     */
    async insert(path, token, way) {
      const [answer] = await [
        () => call('insert_file_content', { path, line: 2, content: token }),
        () => call('replace_file_lines', { path, start_line: 1, end_line: 1, content: `first\n${token}` }),
        () => call('replace_file_content', { paths: [path], old_content: 'first\n', new_content: `first\n${token}\n` })
      ][way % 3]()
      return { token, done: answer.status === 'success', text: answer.result }
    },
    /**
     * The same through the engine, without a pool.
     * @param {string} path
     * @param {string} token
     * @returns {Promise<Said>}
     */
    async edit(path, token) {
      try {
        await workspace.edit(path, { kind: 'insert', line: 2, content: token }, { limits })
        return { token, done: true, text: '' }
      } catch (error) {
        return { token, done: false, text: error.message }
      }
    }
  }
}

if (parentPort !== null && workerData?.entry !== undefined) {
  const editor = makeEditor(await import(workerData.entry), workerData.directory)
  parentPort.on('message', async ({ path, tokens }) => {
    await editor.read(path)
    const said = await Promise.all(tokens.map((token, way) => (way % 2 === 0 ? editor.edit(path, token) : editor.insert(path, token, way))))
    parentPort.postMessage(said)
  })
  parentPort.postMessage('ready')
}
