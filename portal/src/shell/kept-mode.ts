/** The mode that the person last chose in each project, kept in this browser. */
import type { Mode } from '../api/client.ts'

function keyOf(project_id: string): string {
  return `homeport.mode.${project_id}`
}

export function keepMode(project_id: string, mode: Mode): void {
  localStorage.setItem(keyOf(project_id), mode)
}

export function readKeptMode(project_id: string): Mode | null {
  const kept = localStorage.getItem(keyOf(project_id))
  return kept === 'live' || kept === 'test' ? kept : null
}
