/** A bucket for tests: a real S3 server on loopback that keeps its objects in a temporary folder. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after } from 'node:test'
import S3rver from 's3rver'

export interface S3Server {
  /** Settings of a house that keeps its files there. */
  settings: Record<string, string>
  url: string
  /** Closes it before the test file ends, as if the store were away. */
  close(): Promise<void>
}

const BUCKET = 'homeport-files'

export async function openS3Server(): Promise<S3Server> {
  const directory = mkdtempSync(join(tmpdir(), 'homeport-s3-'))
  const server = new S3rver({
    port: 0,
    address: '127.0.0.1',
    silent: true,
    directory,
    vhostBuckets: false,
    configureBuckets: [{ name: BUCKET }],
  })
  const { port } = await server.run()
  const url = `http://127.0.0.1:${port}`
  let closed: Promise<void> | null = null
  const close = () => (closed ??= server.close())
  after(async () => {
    await close()
    rmSync(directory, { recursive: true, force: true })
  })
  return {
    url,
    close,
    settings: {
      HOMEPORT_BLOBS: `s3://${BUCKET}?endpoint=${encodeURIComponent(url)}`,
      AWS_ACCESS_KEY_ID: 'S3RVER',
      AWS_SECRET_ACCESS_KEY: 'S3RVER',
    },
  }
}
