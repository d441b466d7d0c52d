/** How Vite builds the portal. Vite finds no file of its own settings, so these are all. */
import tailwind from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import type { InlineConfig } from 'vite'

/** The path that the server serves the portal at. */
const BASE_PATH = '/portal/app/'

export function viteOptions(): InlineConfig {
  return {
    configFile: false,
    root: import.meta.dirname,
    base: BASE_PATH,
    plugins: [react(), tailwind()],
    logLevel: 'error',
    envDir: false,
  }
}
