/** The form of the chosen step: beside the plan, or above it as a drawer on narrow screens. */
import { useEffect, useRef } from 'react'
import { Drawer } from '../../../../ui/overlays/drawer.tsx'
import { usePlanEditor } from '../editor-context.tsx'
import { stepOf } from '../model/plan.ts'
import { useStepNames } from '../names.ts'
import { usePlanTexts } from '../texts.ts'
import { useWide } from '../../../../ui/wide.ts'
import { StepForm } from './step-form.tsx'

export function StepPanel() {
  const t = usePlanTexts()
  const stepName = useStepNames()
  const isWide = useWide()
  const { plan, selected, select } = usePlanEditor()
  const step = stepOf(plan, selected)
  const panel = useFocusOfAdded()
  if (!isWide) {
    return (
      <Drawer
        open={step !== null}
        onClose={() => select(null)}
        title={step === null ? t('step') : stepName(step)}
      >
        {step !== null && <StepForm key={step.id} step={step} />}
      </Drawer>
    )
  }
  if (step === null) return null
  return (
    <section
      ref={panel}
      tabIndex={-1}
      aria-label={t('step')}
      className="relative min-h-0 overflow-y-auto border-l border-line -outline-offset-2"
    >
      <StepForm key={step.id} step={step} withTitle />
    </section>
  )
}

/** Waits until the closing menu has returned the focus to its button. */
const FOCUS_AFTER_MS = 120

/** Moves the focus to the form of a step that was just added. A drawer does so by itself. */
function useFocusOfAdded() {
  const panel = useRef<HTMLElement>(null)
  const { added } = usePlanEditor()
  useEffect(() => {
    if (added === null) return undefined
    const timer = setTimeout(() => panel.current?.focus(), FOCUS_AFTER_MS)
    return () => clearTimeout(timer)
  }, [added])
  return panel
}
