/** How Vite builds the portal. Vite finds no file of its own settings, so these are all. */
import tailwind from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import type { InlineConfig, Plugin } from 'vite'

/** The path that the server serves the portal at. */
const BASE_PATH = '/portal/app/'

export function viteOptions(): InlineConfig {
  return {
    configFile: false,
    root: import.meta.dirname,
    base: BASE_PATH,
    plugins: [iconsByPath(), react(), tailwind()],
    logLevel: 'error',
    envDir: false,
  }
}

/**
 * Imports each icon from its own file. The package lists 2,000 icons in one, and reading them all
 * takes most of the time and memory of a build.
 */
function iconsByPath(): Plugin {
  return {
    name: 'icons-by-path',
    enforce: 'pre',
    transform: {
      filter: { code: 'lucide-react', id: /\.tsx?$/ },
      handler: (code) =>
        code.replace(/import \{([^}]+)\} from 'lucide-react'/g, (_all, names: string) =>
          names.split(',').map(importOfIcon).join(';'),
        ),
    },
  }
}

/** `KeyRound` is in the file `key-round`. */
function importOfIcon(text: string): string {
  const name = text.trim()
  if (name === '' || name.startsWith('type ')) return ''
  const [icon = '', local = icon] = name.split(' as ')
  const file = icon.replaceAll(/(?<=[a-z])(?=[A-Z0-9])/g, '-').toLowerCase()
  return `import ${local} from 'lucide-react/icons/${file}'`
}
