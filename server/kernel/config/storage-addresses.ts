/** The addresses of HOMEPORT_BLOBS and HOMEPORT_BACKUPS. */

/** Parses `s3://bucket?endpoint=…&region=…`; null if the address is invalid. */
export function readS3Address(
  address: string,
): { bucket: string; endpoint: string | null; region: string } | null {
  const url = URL.parse(address)
  if (url?.protocol !== 's3:' || !['', '/'].includes(url.pathname) || url.username) return null
  const { hostname: bucket, searchParams } = url
  const endpoint = searchParams.get('endpoint')
  const names = [...searchParams.keys()]
  if (names.some((name) => name !== 'endpoint' && name !== 'region')) return null
  if (!/^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/.test(bucket)) return null
  if (endpoint !== null && !/^https?:$/.test(URL.parse(endpoint)?.protocol ?? '')) return null
  return { bucket, endpoint, region: searchParams.get('region') ?? 'us-east-1' }
}

type Address = { folder: string } | { bucket_address: string; prefix: string }

/** Parses `disk:/folder` or `s3://bucket/prefix?…`; null if the address is invalid. */
export function readBackupsAddress(address: string): Address | null {
  if (/^disk:\/./.test(address)) return { folder: address.slice('disk:'.length) }
  const url = URL.parse(address)
  if (url?.protocol !== 's3:') return null
  const prefix = url.pathname.replace(/^\//, '').replace(/\/$/, '')
  if (prefix !== '' && !/^[a-z0-9][a-z0-9_.-]*(?:\/[a-z0-9][a-z0-9_.-]*)*$/.test(prefix))
    return null
  url.pathname = ''
  return readS3Address(url.href) && { bucket_address: url.href, prefix: prefix && `${prefix}/` }
}
