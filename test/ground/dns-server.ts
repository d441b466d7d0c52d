/**
 * A name server for tests, over real UDP on loopback: it answers A and AAAA questions as the test
 * says, differently each time if it likes (a rebinding name), or keeps silent.
 */
import { createSocket } from 'node:dgram'
import { promises as dns } from 'node:dns'
import { once } from 'node:events'
import { isIPv4 } from 'node:net'
import ipaddr from 'ipaddr.js'

export type Answer = readonly string[] | 'no_such_name' | 'silence'

export interface NameServer {
  /** Both families, asked over the wire; rejects when the name has no address. */
  resolve(host: string): Promise<string[]>
  /** How often a name was looked up so far. */
  lookups(host: string): number
  close(): void
}

const type_a = 1
const type_aaaa = 28
const header_bytes = 12

/** `answer` gets the name and how often it was looked up before. */
export async function startNameServer(
  answer: (host: string, earlier_lookups: number) => Answer,
): Promise<NameServer> {
  const socket = createSocket('udp4')
  const asked = new Map<string, number>()
  socket.on('message', (query, from) => {
    const question = readQuestion(query)
    const key = `${question.host} ${question.type}`
    const earlier = asked.get(key) ?? 0
    asked.set(key, earlier + 1)
    const answers = answer(question.host, earlier)
    if (answers !== 'silence') socket.send(writeReply(query, question, answers), from.port)
  })
  socket.bind(0, '127.0.0.1')
  await once(socket, 'listening')
  const resolver = new dns.Resolver({ timeout: 2_000, tries: 1 })
  resolver.setServers([`127.0.0.1:${socket.address().port}`])

  return {
    async resolve(host) {
      const four = resolver.resolve4(host)
      const replies = await Promise.allSettled([four, resolver.resolve6(host)])
      const addresses = replies.flatMap((reply) =>
        reply.status === 'fulfilled' ? reply.value : [],
      )
      // Without any, the error of the first family says why.
      return addresses.length > 0 ? addresses : four
    },
    lookups: (host) => asked.get(`${host} ${type_a}`) ?? 0,
    close() {
      resolver.cancel()
      socket.close()
    },
  }
}

interface Question {
  host: string
  type: number
  end: number
}

function readQuestion(query: Buffer): Question {
  const labels: string[] = []
  let at = header_bytes
  for (let length = query.readUInt8(at); length > 0; length = query.readUInt8(at)) {
    labels.push(query.toString('latin1', at + 1, at + 1 + length))
    at += 1 + length
  }
  return { host: labels.join('.').toLowerCase(), type: query.readUInt16BE(at + 1), end: at + 5 }
}

function writeReply(
  query: Buffer,
  question: Question,
  answers: readonly string[] | 'no_such_name',
) {
  const header = Buffer.alloc(header_bytes)
  const records = answers === 'no_such_name' ? [] : answers.flatMap((one) => record(one, question))
  header.writeUInt16BE(query.readUInt16BE(0), 0)
  header.writeUInt16BE(answers === 'no_such_name' ? 0x8183 : 0x8180, 2)
  header.writeUInt16BE(1, 4)
  header.writeUInt16BE(records.length, 6)
  return Buffer.concat([header, query.subarray(header_bytes, question.end), ...records])
}

/** One answer for the asked name, to be forgotten at once; none when the family is another. */
function record(address: string, question: Question): Buffer[] {
  if (question.type !== (isIPv4(address) ? type_a : type_aaaa)) return []
  const data = Buffer.from(ipaddr.parse(address).toByteArray())
  const fixed = Buffer.from([
    0xc0,
    header_bytes,
    0,
    question.type,
    0,
    1,
    0,
    0,
    0,
    0,
    0,
    data.length,
  ])
  return [Buffer.concat([fixed, data])]
}
