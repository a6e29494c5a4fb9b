import type { Palette } from './colors';
import { box, clipped, circle, line, path, repeated } from './shapes';

export function carryall(tone: Palette): string {
  const body = 'M214 330 H586 L616 640 Q616 664 590 664 H210 Q184 664 184 640 Z';
  return (
    line('M300 350 V232 Q304 150 400 150 Q496 150 500 232 V350', { color: tone.darker, width: 22 }) +
    path(body, tone.main) +
    clipped(
      'carryall',
      body,
      box([180, 556, 440, 120], tone.dark) +
        path('M520 320 H620 V680 H540 Q570 480 520 320 Z', tone.dark, 0.35),
    ) +
    line('M300 340 V470 M500 340 V470', { color: tone.darker, width: 26 }) +
    line('M222 352 H578', { color: tone.lighter, width: 4, dashes: '10 8' }) +
    line('M196 560 H606', { color: tone.lighter, width: 3, opacity: 0.7, dashes: '10 8' })
  );
}

export function backpack(tone: Palette): string {
  const body = 'M236 300 Q236 170 400 170 Q564 170 564 300 V620 Q564 668 516 668 H284 Q236 668 236 620 Z';
  return (
    line('M340 182 Q340 108 400 108 Q460 108 460 182', { color: tone.darker, width: 18 }) +
    path(
      'M214 380 h40 v220 h-40 q-22 0 -22 -30 v-160 q0 -30 22 -30 Z M586 380 h-40 v220 h40 q22 0 22 -30 v-160 q0 -30 -22 -30 Z',
      tone.dark,
    ) +
    path(body, tone.main) +
    clipped('pack', body, path('M496 160 H600 V680 H516 Q552 400 496 160 Z', tone.dark, 0.35)) +
    path('M236 300 Q236 170 400 170 Q564 170 564 300 V380 Q400 424 236 380 Z', tone.light) +
    box([276, 456, 248, 172], tone.dark, 24) +
    line('M292 496 H508', { color: tone.lighter, width: 6 }) +
    line('M320 330 V480 M480 330 V480', { color: '#7a5439', width: 22 }) +
    box([306, 420, 28, 34], '#c9a24d', 6) +
    box([466, 420, 28, 34], '#c9a24d', 6)
  );
}

export function rollTop(tone: Palette): string {
  const body = 'M248 268 H552 V618 Q552 668 502 668 H298 Q248 668 248 618 Z';
  return (
    path(body, tone.main) +
    clipped('rolltop', body, path('M484 260 H560 V680 H500 Q536 460 484 260 Z', tone.dark, 0.4)) +
    box([232, 176, 336, 54], tone.dark, 26) +
    box([240, 222, 320, 54], tone.light, 20) +
    box([276, 470, 248, 150], tone.light, 18) +
    line('M276 508 H524', { color: tone.darker, width: 8 }) +
    line('M400 186 V420', { color: tone.darker, width: 24 }) +
    box([378, 330, 44, 52], tone.lighter, 10) +
    line('M248 330 L212 420 V560 M552 330 L588 420 V560', { color: tone.darker, width: 16 })
  );
}

export function duffel(tone: Palette): string {
  const body =
    'M150 430 Q150 320 250 320 H550 Q650 320 650 430 V540 Q650 620 570 620 H230 Q150 620 150 540 Z';
  return (
    line('M270 340 Q280 190 400 190 Q520 190 530 340', { color: '#7a5439', width: 22 }) +
    path(body, tone.main) +
    clipped(
      'duffel',
      body,
      path('M150 300 h70 q-30 160 0 330 h-70 Z M650 300 h-70 q30 160 0 330 h70 Z', tone.dark) +
        box([150, 560, 500, 70], tone.dark),
    ) +
    line('M236 348 H564', { color: tone.darker, width: 12 }) +
    line('M244 348 H556', { color: tone.lighter, width: 4, dashes: '3 7' }) +
    line('M270 340 V614 M530 340 V614', { color: '#7a5439', width: 24 }) +
    box([550, 340, 18, 44], '#c9a24d', 6)
  );
}

export function laptopSleeve(tone: Palette): string {
  const body =
    'M170 270 Q170 240 200 240 H600 Q630 240 630 270 V560 Q630 590 600 590 H200 Q170 590 170 560 Z';
  return (
    path(body, tone.main) +
    clipped(
      'sleeve',
      body,
      path('M170 240 H630 L400 450 Z', tone.light) +
        line('M170 240 L400 450 L630 240', { color: tone.darker, width: 5, opacity: 0.5 }),
    ) +
    circle(400, 438, 22, '#c9a24d') +
    circle(400, 438, 10, tone.darker) +
    line('M190 570 H610', { color: tone.lighter, width: 3, dashes: '10 8' })
  );
}

export function pouch(tone: Palette): string {
  const body = 'M196 300 H604 L622 560 Q624 590 592 590 H208 Q176 590 178 560 Z';
  const waves = repeated(5, (row) =>
    line(`M170 ${370 + row * 46} ${'q26 -26 52 0 t52 0 '.repeat(5)}`, {
      color: tone.lighter,
      width: 7,
      opacity: 0.7,
    }),
  );
  return (
    path(body, tone.main) +
    clipped('pouch', body, waves) +
    box([190, 282, 420, 36], tone.darker, 12) +
    line('M206 300 H594', { color: tone.lighter, width: 6, dashes: '3 8' }) +
    box([572, 290, 20, 70], '#c9a24d', 8) +
    path('M600 290 q70 20 62 104 l-20 0 q4 -66 -50 -80 Z', '#7a5439')
  );
}
