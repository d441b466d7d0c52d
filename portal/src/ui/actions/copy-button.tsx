/** Copies a text and confirms it briefly. */
import { Check, Copy } from 'lucide-react'
import { useEffect, useState } from 'react'
import { cx } from '../class-names.ts'
import { useUiTexts } from '../texts.ts'
import { buttonClass, type ButtonKind } from './button.tsx'

const SHOWN_MS = 1_600

export interface CopyButtonProps {
  text: string
  /** Without a label the button shows an icon. */
  label?: string
  kind?: ButtonKind
}

export function CopyButton({ text, label, kind = 'ghost' }: CopyButtonProps) {
  const t = useUiTexts()
  const [copied, setCopied] = useState(false)
  useEffect(() => {
    if (!copied) return undefined
    const timer = setTimeout(() => setCopied(false), SHOWN_MS)
    return () => clearTimeout(timer)
  }, [copied])
  const copy = async () => {
    await navigator.clipboard.writeText(text)
    setCopied(true)
  }
  return (
    <button
      type="button"
      onClick={() => void copy()}
      title={label === undefined ? t('copy') : undefined}
      aria-label={label === undefined ? t(copied ? 'copied' : 'copy') : undefined}
      className={cx(
        buttonClass({ kind, size: label === undefined ? 'icon' : 'sm' }),
        label === undefined && 'size-8!',
      )}
    >
      {copied ? <Check className="text-good" aria-hidden="true" /> : <Copy aria-hidden="true" />}
      {label !== undefined && (copied ? t('copied') : label)}
    </button>
  )
}
