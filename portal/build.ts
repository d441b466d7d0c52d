/**
 * Builds the portal into the folder that is given as the argument, and compresses each text beside
 * itself. The server starts it as a process of its own, so that the memory is returned at its end.
 */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'
import { build } from 'vite'
import { viteOptions } from './vite-options.ts'

// React and Vite read it, and the server may run in development.
process.env['NODE_ENV'] = 'production'

const [, , given] = process.argv
if (given === undefined) throw new Error('Give the folder to build into.')
const outDir = resolve(given)

await build({
  ...viteOptions(),
  build: {
    outDir,
    emptyOutDir: true,
    target: 'es2023',
    // A data: address would need its own source in the policy of the page.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    chunkSizeWarningLimit: 600,
    rolldownOptions: {
      output: {
        // Each file costs a request with a kilobyte of headers, so what every page needs is in few.
        codeSplitting: {
          groups: [
            {
              name: 'frame',
              test: /node_modules\/@tanstack\/(?:react-)?(?:router|query|store|history)/,
            },
            { name: 'react', test: /node_modules\/(?:react|react-dom|scheduler)\// },
            { name: 'icons', test: /lucide-react/, minShareCount: 3 },
            { name: 'queries', test: /portal\/src\/areas\/[\w-]+\/queries\.ts/, minShareCount: 3 },
            {
              name: 'shared',
              // Without phone numbers, whose list of countries is large.
              test: /portal\/src\/(?:ui\/(?!display\/table|forms\/phone)|api\/|language\/(?!phones)|work\/|shell\/)/,
              minShareCount: 8,
            },
            {
              name: 'tables',
              test: /@tanstack\/(?:react-)?(?:table|virtual)|portal\/src\/ui\/display\/table/,
            },
          ],
        },
      },
    },
  },
})

const brotli = { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } }
for (const entry of readdirSync(outDir, { recursive: true, withFileTypes: true })) {
  if (!entry.isFile() || !/\.(?:js|css|html|svg)$/.test(entry.name)) continue
  const path = join(entry.parentPath, entry.name)
  const bytes = readFileSync(path)
  writeFileSync(`${path}.gz`, gzipSync(bytes, { level: 9 }))
  writeFileSync(`${path}.br`, brotliCompressSync(bytes, brotli))
}
