/** Reads until when the certificate of a server is valid, without trusting it. */
import { isIP } from 'node:net'
import { connect } from 'node:tls'

const DEADLINE_MS = 5_000

/** Throws if there is no TLS connection. The certificate may have expired or be untrusted. */
export function readCertificateEnd({ hostname, port }: URL): Promise<Date> {
  const host = hostname.replace(/^\[|\]$/g, '')
  return new Promise((found, fail) => {
    const socket = connect({
      host,
      port: Number(port) || 443,
      ...(isIP(host) === 0 && { servername: host }),
      // Nothing is sent. An expired certificate has to be read, too.
      rejectUnauthorized: false,
    })
    socket.setTimeout(DEADLINE_MS, () => socket.destroy(new Error(`${host} did not answer.`)))
    socket.once('error', fail)
    socket.once('secureConnect', () => {
      const end = new Date(socket.getPeerCertificate().valid_to)
      socket.destroy()
      if (Number.isNaN(end.getTime())) fail(new Error(`${host} sent no certificate.`))
      else found(end)
    })
  })
}
