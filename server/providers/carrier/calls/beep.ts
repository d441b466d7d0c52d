/** The tone before a voicemail, as a WAV file that a carrier fetches: 8 kHz, 8 bits, mono. */
export const BEEP_PATH = '/files/beep.wav'
export const BEEP_SECONDS = 0.4

const RATE = 8_000
const TONE_HZ = 1_000
/** Silence of unsigned samples of 8 bits, and the largest deviation from it. */
const MIDDLE = 128
const AMPLITUDE = 60
const HEAD_BYTES = 44

export function createBeep(): Buffer {
  const samples = Math.round(RATE * BEEP_SECONDS)
  const file = Buffer.alloc(HEAD_BYTES + samples)
  file.write('RIFF', 0, 'latin1')
  file.writeUInt32LE(file.length - 8, 4)
  file.write('WAVEfmt ', 8, 'latin1')
  file.writeUInt32LE(16, 16)
  // PCM, one channel.
  file.writeUInt16LE(1, 20)
  file.writeUInt16LE(1, 22)
  file.writeUInt32LE(RATE, 24)
  file.writeUInt32LE(RATE, 28)
  file.writeUInt16LE(1, 32)
  file.writeUInt16LE(8, 34)
  file.write('data', 36, 'latin1')
  file.writeUInt32LE(samples, 40)
  for (let at = 0; at < samples; at += 1) {
    const wave = Math.sin((2 * Math.PI * TONE_HZ * at) / RATE)
    file[HEAD_BYTES + at] = MIDDLE + Math.round(AMPLITUDE * wave)
  }
  return file
}
