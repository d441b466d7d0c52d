/** The menu of the signed-in person, with language and theme. */
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { LogOut, Monitor, Moon, ShieldCheck, Sun, UserRound } from 'lucide-react'
import { meQuery } from '../api/session.ts'
import { languages, setLanguage, useLanguage, type Language } from '../language/texts.ts'
import { Menu, MenuChoice, MenuItem, MenuLine } from '../ui/actions/menu.tsx'
import { signOut } from './sign-out.ts'
import { useShellTexts } from './texts.ts'
import { setTheme, useTheme, type Theme } from './theme.ts'

export function AccountMenu({ side = 'top' }: { side?: 'top' | 'bottom' }) {
  const t = useShellTexts()
  const navigate = useNavigate()
  const { data: me } = useQuery(meQuery)
  const email = me?.person.email ?? ''
  const name = me?.person.name ?? email
  return (
    <Menu
      side={side}
      align="end"
      trigger={
        <button
          type="button"
          className="flex min-w-0 items-center gap-2.5 rounded-lg px-2 py-1.5 text-left hover:bg-hover"
        >
          <span
            aria-hidden="true"
            className="grid size-7 shrink-0 place-items-center rounded-full bg-accent-soft text-xs font-semibold text-accent uppercase"
          >
            {name.slice(0, 2)}
          </span>
          <span className="sr-only">{t('account_menu')}: </span>
          <span className="min-w-0 flex-1 truncate text-sm text-muted max-lg:sr-only">{name}</span>
        </button>
      }
    >
      <p className="truncate px-2.5 py-1.5 text-sm text-muted">{email}</p>
      <MenuItem
        icon={<UserRound aria-hidden="true" />}
        onSelect={() => void navigate({ to: '/account' })}
      >
        {t('account')}
      </MenuItem>
      {me?.person.is_operator && (
        <MenuItem icon={<ShieldCheck aria-hidden="true" />} href="/portal/app/operator">
          {t('operator_console')}
        </MenuItem>
      )}
      <MenuLine />
      <ThemeChoice />
      <MenuLine />
      <LanguageChoice />
      <MenuLine />
      <MenuItem icon={<LogOut aria-hidden="true" />} onSelect={signOut}>
        {t('sign_out')}
      </MenuItem>
    </Menu>
  )
}

function ThemeChoice() {
  const t = useShellTexts()
  const theme = useTheme()
  return (
    <MenuChoice
      label={t('theme')}
      value={theme}
      onChange={(value) => setTheme(isTheme(value) ? value : 'system')}
      choices={[
        { value: 'light', text: t('theme_light'), icon: <Sun aria-hidden="true" /> },
        { value: 'dark', text: t('theme_dark'), icon: <Moon aria-hidden="true" /> },
        { value: 'system', text: t('theme_system'), icon: <Monitor aria-hidden="true" /> },
      ]}
    />
  )
}

function isTheme(value: string): value is Theme {
  return value === 'light' || value === 'dark' || value === 'system'
}

function LanguageChoice() {
  const t = useShellTexts()
  const language = useLanguage()
  const choices = Object.entries(languages).map(([value, text]) => ({ value, text }))
  return (
    <MenuChoice
      label={t('language')}
      value={language}
      onChange={(value) => setLanguage(isLanguage(value) ? value : 'en')}
      choices={choices}
    />
  )
}

function isLanguage(value: string): value is Language {
  return value in languages
}
