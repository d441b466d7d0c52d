/** The actions of the command palette that the person may run in this project. */
import { useNavigate } from '@tanstack/react-router'
import { CreditCard, KeyRound, Languages, Link2, Moon, Sun, ToggleLeft, Users } from 'lucide-react'
import type { ReactNode } from 'react'
import { useProjectScope } from '../api/project-scope.tsx'
import { setLanguage, useLanguage } from '../language/texts.ts'
import { say } from '../ui/overlays/toast.tsx'
import { useSetMode } from './mode-bar.tsx'
import { useShellTexts } from './texts.ts'
import { setTheme } from './theme.ts'

export interface PaletteAction {
  id: string
  icon: ReactNode
  text: string
  run(): void
}

export function usePaletteActions(): PaletteAction[] {
  const { may } = useProjectScope()
  const managing = useManagingActions()
  const general = useGeneralActions()
  const switching = useLookActions()
  return [...(may('admin') ? managing : []), ...general, ...switching]
}

/** Returns the actions of admins, each of which opens a dialog on its page. */
function useManagingActions(): PaletteAction[] {
  const t = useShellTexts()
  const { link } = useProjectScope()
  const navigate = useNavigate()
  const open = (path: string) => () => void navigate({ to: link(path), hash: 'new' })
  return [
    {
      id: 'key',
      icon: <KeyRound aria-hidden="true" />,
      text: t('create_key'),
      run: open('/keys'),
    },
    { id: 'invite', icon: <Users aria-hidden="true" />, text: t('invite'), run: open('/team') },
    {
      id: 'top-up',
      icon: <CreditCard aria-hidden="true" />,
      text: t('top_up'),
      run: open('/billing'),
    },
  ]
}

function useGeneralActions(): PaletteAction[] {
  const t = useShellTexts()
  const { mode, project } = useProjectScope()
  const setMode = useSetMode()
  const other = mode === 'test' ? 'live' : 'test'
  const copy = async () => {
    await navigator.clipboard.writeText(`${location.origin}/mcp`)
    say(t('copied_mcp'))
  }
  const copying = {
    id: 'mcp',
    icon: <Link2 aria-hidden="true" />,
    text: t('copy_mcp'),
    run: () => void copy(),
  }
  if (project.shape !== 'single') return [copying]
  const switching = {
    id: 'mode',
    icon: <ToggleLeft aria-hidden="true" />,
    text: t(other === 'test' ? 'switch_to_test' : 'switch_to_live'),
    run: () => setMode(other),
  }
  return [copying, switching]
}

function useLookActions(): PaletteAction[] {
  const t = useShellTexts()
  const language = useLanguage()
  return [
    {
      id: 'light',
      icon: <Sun aria-hidden="true" />,
      text: `${t('theme')}: ${t('theme_light')}`,
      run: () => setTheme('light'),
    },
    {
      id: 'dark',
      icon: <Moon aria-hidden="true" />,
      text: `${t('theme')}: ${t('theme_dark')}`,
      run: () => setTheme('dark'),
    },
    {
      id: 'language',
      icon: <Languages aria-hidden="true" />,
      text: language === 'nl' ? 'English' : 'Nederlands',
      run: () => setLanguage(language === 'nl' ? 'en' : 'nl'),
    },
  ]
}
