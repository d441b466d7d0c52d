/** Shows long work on every page. Its code is loaded with the first work. */
import { lazy, Suspense } from 'react'
import { useWorks } from './work.ts'

const Parts = lazy(async () => ({ default: (await import('./work-tray-parts.tsx')).WorkTrayParts }))

export function WorkTray({ project_id }: { project_id: string }) {
  const works = useWorks().filter((work) => work.project_id === project_id)
  if (works.length === 0) return null
  return (
    <Suspense fallback={null}>
      <Parts works={works} />
    </Suspense>
  )
}
