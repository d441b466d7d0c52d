/** The part of s3rver that tests use; the package brings no types. */
declare module 's3rver' {
  import type { AddressInfo } from 'node:net'

  export interface Options {
    port: number
    address: string
    silent: boolean
    directory: string
    vhostBuckets: boolean
    configureBuckets: { name: string }[]
  }

  export default class S3rver {
    constructor(options: Options)
    run(): Promise<AddressInfo>
    close(): Promise<void>
  }
}
