/**
 * A real browser for tests: the one that is installed, else the one that comes as a package. Null
 * with the reason where none can be started.
 */
import { existsSync } from 'node:fs'
import { chromium, type Browser } from 'playwright-core'
import packed from '@sparticuz/chromium'

const installed = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome']

/**
 * Made for machines of a few hundred megabytes, with them the browser ends now and then by itself;
 * and for pages that may do what real ones may not.
 */
const unwanted = [
  '--single-process',
  '--no-zygote',
  '--in-process-gpu',
  '--disable-web-security',
  '--allow-running-insecure-content',
]

export async function openBrowser(): Promise<Browser | { missing: string }> {
  try {
    const found = installed.find((path) => existsSync(path))
    if (found) return await chromium.launch({ executablePath: found, args: ['--no-sandbox'] })
    return await chromium.launch({
      executablePath: await packed.executablePath(),
      args: packed.args.filter((one) => !unwanted.includes(one)),
    })
  } catch (error) {
    return { missing: error instanceof Error ? error.message.slice(0, 200) : 'no reason given' }
  }
}
