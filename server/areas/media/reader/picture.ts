/**
 * Reads images with sharp: dimensions, integrity, removal of metadata, and resized copies. Decodes
 * only formats that browsers display and that contain no scripts.
 */
import sharp, { type Metadata, type Sharp } from 'sharp'
import { limits } from '../../../contract/limits.ts'
import type { PictureFormat } from '../words.ts'
import type { FileInspection } from './messages.ts'
import { stripMetadata } from './strip.ts'
import { Unreadable } from './unreadable.ts'

// Processes one image at a time without a cache, because the process ends when idle.
sharp.concurrency(1)
sharp.cache(false)

const PLACEHOLDER_PIXELS = 16
const PLACEHOLDER_QUALITY = 20
const TURNED_QUALITY = 92

function open(bytes: Buffer, animated = false): Sharp {
  return sharp(bytes, {
    animated,
    limitInputPixels: limits.media_pixels_max,
    failOn: 'error',
    unlimited: false,
  }).timeout({ seconds: limits.media_read_s_max })
}

type Picture = Pick<FileInspection, 'width' | 'height' | 'placeholder' | 'kept'>

export async function inspectPicture(content_type: string, sent: Buffer): Promise<Picture> {
  const before = await metadataOf(sent)
  const bytes = await cleaned(content_type, sent, before)
  const after = await metadataOf(bytes)
  if (after.exif || after.xmp || after.iptc || after.comments?.length) {
    throw new Unreadable('The camera metadata cannot be removed from the picture.')
  }
  return {
    width: after.width,
    height: after.pageHeight ?? after.height,
    placeholder: await placeholderOf(bytes),
    kept: bytes.equals(sent) ? null : bytes,
  }
}

async function metadataOf(bytes: Buffer): Promise<Metadata> {
  const found = await open(bytes).metadata().catch(explain)
  const pixels = found.width * (found.pageHeight ?? found.height)
  if (pixels > limits.media_pixels_max) throw new Unreadable(tooManyPixels)
  // `heif` is the container of AVIF.
  if (found.format === 'heif' && pixels > limits.media_avif_pixels_max)
    throw new Unreadable(tooManyForAvif)
  return found
}

/**
 * Copies the image data bit for bit if possible. Re-encodes an image that must be rotated, and AVIF
 * with metadata.
 */
async function cleaned(content_type: string, sent: Buffer, about: Metadata): Promise<Buffer> {
  const lies = (about.orientation ?? 1) > 1
  const must_be_drawn = content_type === 'image/avif' && (about.exif || about.xmp || lies)
  if (must_be_drawn || (lies && content_type !== 'image/gif')) {
    const drawn = open(sent).autoOrient().keepIccProfile()
    return inFormat(drawn, content_type).toBuffer().catch(explain)
  }
  const stripped = stripMetadata(content_type, sent)
  if (stripped === null) throw new Unreadable(notWhole)
  return stripped
}

function inFormat(picture: Sharp, content_type: string): Sharp {
  switch (content_type) {
    case 'image/jpeg':
      return picture.jpeg({ quality: TURNED_QUALITY })
    case 'image/png':
      return picture.png()
    case 'image/avif':
      return picture.avif({ quality: 65, effort: 2 })
    default:
      return picture.webp({ quality: TURNED_QUALITY })
  }
}

/** Makes the placeholder. This decodes the whole image, so it also detects a damaged one. */
async function placeholderOf(bytes: Buffer): Promise<string> {
  const tiny = await open(bytes)
    .resize(PLACEHOLDER_PIXELS, PLACEHOLDER_PIXELS, { fit: 'inside' })
    .webp({ quality: PLACEHOLDER_QUALITY })
    .toBuffer()
    .catch(explain)
  return `data:image/webp;base64,${tiny.toString('base64')}`
}

/**
 * Creates a resized copy in sRGB without metadata. A copy of an animation is one in WebP and its first
 * frame in JPEG; AVIF has none, so that no animation is lost.
 */
export async function shrinkImage(
  bytes: Buffer,
  width: number,
  format: PictureFormat,
): Promise<Uint8Array> {
  const { pages = 1, format: own } = await metadataOf(bytes)
  const moves = pages > 1 && (own === 'gif' || own === 'webp')
  if (moves && format === 'avif') throw new Unreadable('An animation has copies in WebP and JPEG.')
  const whole = moves && format === 'webp' ? open(bytes, true) : open(bytes).autoOrient()
  const small = whole.resize({ width, withoutEnlargement: true })
  switch (format) {
    case 'webp':
      return small.webp({ quality: 80 }).toBuffer().catch(explain)
    case 'avif':
      return small.avif({ quality: 55, effort: 3 }).toBuffer().catch(explain)
    case 'jpeg':
      return small
        .flatten({ background: 'white' })
        .jpeg({ quality: 80, mozjpeg: true })
        .toBuffer()
        .catch(explain)
  }
}

const notWhole = 'The picture is damaged or not whole.'
const tooManyPixels = `The picture has more than ${limits.media_pixels_max / 1_000_000} million pixels.`

const tooManyForAvif = `The picture has more than ${limits.media_avif_pixels_max / 1_000_000} million pixels, the most for AVIF. Save it as WebP or JPEG.`

function explain(error: unknown): never {
  const message = error instanceof Error ? error.message : ''
  if (/pixel limit/i.test(message)) throw new Unreadable(tooManyPixels, { cause: error })
  if (/timeout/i.test(message)) {
    throw new Unreadable('The picture takes too long to read.', { cause: error })
  }
  throw new Unreadable(notWhole, { cause: error })
}
