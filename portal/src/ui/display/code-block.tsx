/** Code that can be copied, in one or several variants. */
import { useState } from 'react'
import { CopyButton } from '../actions/copy-button.tsx'
import { cx } from '../class-names.ts'

export interface CodeVariant {
  name: string
  code: string
}

export function CodeBlock({ code, label }: { code: string; label: string }) {
  return (
    <div className="flex items-start rounded-lg border border-line bg-bg">
      <pre
        role="region"
        aria-label={label}
        tabIndex={0}
        className="min-w-0 flex-1 rounded-lg whitespace-pre-wrap py-3 pr-2 pl-4 font-mono text-sm leading-relaxed"
      >
        <code>{code}</code>
      </pre>
      <div className="p-1.5">
        <CopyButton text={code} />
      </div>
    </div>
  )
}

/** Shows one of several variants of a code, such as one for each client. */
export function CodeVariants({ variants, label }: { variants: CodeVariant[]; label: string }) {
  const [chosen, setChosen] = useState(variants[0]?.name ?? '')
  const variant = variants.find(({ name }) => name === chosen) ?? variants[0]
  return (
    <div>
      <div role="group" aria-label={label} className="mb-2 flex flex-wrap gap-1">
        {variants.map(({ name }) => (
          <button
            key={name}
            type="button"
            aria-pressed={name === chosen}
            onClick={() => setChosen(name)}
            className={cx(
              'rounded-md px-2.5 py-1 text-sm font-medium whitespace-nowrap transition-colors',
              name === chosen ? 'bg-hover text-fg' : 'text-muted hover:text-fg',
            )}
          >
            {name}
          </button>
        ))}
      </div>
      {variant !== undefined && <CodeBlock code={variant.code} label={variant.name} />}
    </div>
  )
}
