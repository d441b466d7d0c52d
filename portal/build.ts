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
        // Each file costs a request with a kilobyte of headers, so code that pages share is in few.
        codeSplitting: {
          groups: [
            {
              name: 'vendor',
              test: /@base-ui\/react\/(?:csp-provider|internals\/csp)|vite\/preload|node_modules\/(?:react|react-dom|scheduler|use-sync-external-store|i18next|openapi-fetch|@tanstack\/(?:react-)?(?:router|query|store|history)[\w-]*)\//,
            },
            {
              name: 'shared',
              // Without tables, forms and phone numbers, whose list of countries is large.
              test: /lucide-react|portal\/src\/(?:areas\/[\w-]+\/queries\.ts|ui\/(?!display\/(?:table|tabs)|forms\/phone)|api\/(?!operation-|list-table)|language\/(?!phones)|work\/|shell\/)/,
              minShareCount: 2,
            },
            {
              name: 'cards',
              test: /areas\/(?:start\/is-connected|go-live\/queries|connections\/connect-box|approvals\/(?:approval-card|review\.|texts))/,
              includeDependenciesRecursively: false,
            },
            {
              name: 'base',
              test: /node_modules\/@(?:floating-ui|base-ui\/(?:utils|react\/(?:internals|utils|floating-ui-react|merge-props|use-)))/,
              minShareCount: 4,
            },
            { name: 'tabs', test: /ui\/display\/tabs/ },
            { name: 'dialogs', test: /ui\/overlays\/[a-z-]+-parts/ },
            {
              name: 'tables',
              test: /@tanstack\/(?:react-)?(?:table|virtual)|portal\/src\/(?:ui\/display\/table|api\/list-table)/,
              includeDependenciesRecursively: false,
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
