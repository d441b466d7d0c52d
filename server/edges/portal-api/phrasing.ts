/** How the API of the portal names operations in next steps: by the paths that it has for them. */
import { routesInText, type Phrasing } from '../../contract/next-steps.ts'

const rename = (text: string) => text.replaceAll(routesInText, pathOf)

export const portalPhrasing: Phrasing = { door: 'portal', rename, rephrase: rename }

function pathOf(route: string): string {
  const [method, path = ''] = route.split(' ')
  if (path.startsWith('/projects') || path === '/openapi.json') return route
  // Operations for anybody belong to no project.
  if (path === '/status' || path.startsWith('/public/')) return `${method} /api/v1${path}`
  return `${method} /projects/{project_id}${path}`
}
