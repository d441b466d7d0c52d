/** A card with a number, its name and an explanation. */
import type { ReactNode } from 'react'

export interface StatCardProps {
  label: string
  value: ReactNode
  note?: ReactNode
  action?: ReactNode
}

export function StatCard({ label, value, note, action }: StatCardProps) {
  return (
    <section className="flex min-w-0 flex-col rounded-xl border border-line bg-surface p-5 shadow-card">
      <h2 className="text-sm font-medium text-muted">{label}</h2>
      <p className="mt-1.5 text-3xl font-semibold tracking-tight tabular-nums">{value}</p>
      {note !== undefined && <div className="mt-1 text-sm text-muted">{note}</div>}
      {action !== undefined && <div className="mt-auto pt-3">{action}</div>}
    </section>
  )
}
