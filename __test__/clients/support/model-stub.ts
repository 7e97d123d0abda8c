import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A tool call that the scripted model asks for. */
export interface ScriptedCall {
  name: string
  args: Record<string, unknown>
}

/** One answer of the scripted model: tool calls, or the closing text. */
export type Turn = { calls: ScriptedCall[] } | { text: string }

/** What one request to the stub held, as far as the tests ask. */
export interface ModelRequest {
  stream: boolean
  messages: { role: string; content: string; tool_call_id?: string }[]
  tools: { type: string; function: { name: string; parameters: { required?: string[] } } }[]
}

/** The chunks of a turn's streamed answer; a call's arguments come in two parts, as from a real model. */
function chunks(turn: Turn, number: number): object[] {
  if ('text' in turn) {
    return [{ delta: { role: 'assistant', content: turn.text } }, { delta: {}, finish_reason: 'stop' }]
  }
  const parts = turn.calls.flatMap(({ name, args }, index) => {
    const text = JSON.stringify(args)
    const half = Math.ceil(text.length / 2)
    const head = { index, id: `call-${number}-${index}`, type: 'function', function: { name, arguments: '' } }
    return [head, ...[text.slice(0, half), text.slice(half)].map((part) => ({ index, function: { arguments: part } }))]
  })
  return [...parts.map((part) => ({ delta: { tool_calls: [part] } })), { delta: {}, finish_reason: 'tool_calls' }]
}

/** An OpenAI-compatible chat server on the loopback interface that plays a script. */
export class ModelStub {
  readonly requests: ModelRequest[] = []
  readonly #server: Server

  constructor(script: Turn[]) {
    this.#server = createServer((request, response) => {
      const body: Buffer[] = []
      request.on('data', (part: Buffer) => body.push(part))
      request.on('end', () => {
        const turn = script[this.requests.length]
        if (request.url !== '/v1/chat/completions' || turn === undefined) {
          response.writeHead(404).end()
          return
        }
        this.requests.push(JSON.parse(Buffer.concat(body).toString()) as ModelRequest)
        response.writeHead(200, { 'content-type': 'text/event-stream' })
        for (const choice of chunks(turn, this.requests.length)) {
          const chunk = { id: 'stub', object: 'chat.completion.chunk', model: 'stub', choices: [{ index: 0, ...choice }] }
          response.write(`data: ${JSON.stringify(chunk)}\n\n`)
        }
        response.end('data: [DONE]\n\n')
      })
    })
  }

  /** Starts to listen and gives the address for `OPENAI_BASE_URL`. */
  async listen(): Promise<string> {
    await new Promise<void>((resolve) => {
      this.#server.listen(0, '127.0.0.1', resolve)
    })
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}/v1`
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections()
    await new Promise((resolve) => {
      this.#server.close(resolve)
    })
  }
}
