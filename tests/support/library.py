"""A small vault in English, Russian, Chinese and Korean whose notes answer queries that break other search programs.

Owns text only. Names are part of the tests: change a note together with the queries that expect it.
"""

import unicodedata

NFD_NAME = unicodedata.normalize("NFD", "Мой") + ".md"

LIBRARY: dict[str, str | bytes] = {
    "Servers/pve-01.md": "# Hypervisor pve-01\n\nThe machine pve-01 hosts the mail and the wiki. Its fans were replaced in March.\n",
    "Servers/pve-02.md": "# Hypervisor pve-02\n\nRoom 01 has a second rack; pve is short for virtual environment.\n",
    "Servers/Upgrades.md": "# Upgrades\n\nAfter a new systemd package run `systemctl daemon-reexec` once, then look at the journal.\n",
    "Servers/Reloading.md": "# Reloading\n\nThe mail daemon reads its settings again on a signal; nobody has to restart the machine.\n",
    "Ingest/Lint.md": "# File-back Ingest Lint\n\nThe checker compares each imported page with its source.\n",
    "Agents/House rules.md": "# House rules\n\nWe don't use agents for payroll: a person signs every payment.\n",
    "Agents/Travel.md": "# Travel\n\nA travel agent booked the ferry, and the harbour office used our old address.\n",
    "Transfers/Old recordings.md": "# Old recordings\n\nThe interviews were saved under Downloads/transcripts.\n",
    "Transfers/Downloads.md": "# Downloads\n\nThis folder is emptied every Friday without asking.\n",
    "Money/Budget.md": "# Budget\n\nFor the new kitchen the budget is roughly four thousand euros, appliances included.\n",
    "Money/Taxes.md": "# Taxes\n\nThe declaration is due in July and the adviser wants all receipts by May.\n",
    "Releases/Spring.md": "# Spring release\n\nVersion 2026.4.10 repairs the export of long tables.\n",
    "Releases/Winter.md": "# Winter release\n\nVersion 2026.4.1 brought the dark theme, and 2025.4.10 the light one.\n",
    "Releases/Patch.md": "# Patch\n\nThe router needs firmware 1.0.21 before it speaks to the new switch.\n",
    "Releases/Ticket.md": "# Ticket\n\nComplaint 1021 was closed: the door bell rings again. Ten and twenty-one others wait.\n",
    "Crew/Night shift.md": "# Night shift\n\nStart the batch with `crew:run` and read the summary in the morning.\n",
    "Crew/Day shift.md": "# Day shift\n\nThe crew meets at nine; nobody has to run.\n",
    "Code/Templates.md": "# C++ templates\n\nIn C++ a template is instantiated once for every type that uses it.\n",
    "Code/Pointers.md": "# C pointers\n\nIn plain C an array turns into a pointer as soon as it is passed on.\n",
    "Code/Settings.md": "# Settings\n\nThe key foo_bar switches the beta menu on.\n",
    "Code/Generated.md": "# Generated\n\nThe generator names its output fooXbar, always with an X.\n",
    "Code/README.md": "# Read me first\n\nHow the sources are laid out.\n",
    "Notes/readme.md": "# Reading list\n\nNovels for the summer.\n",
    "Notes/100% _done_ list.md": "# Finished things\n\nThe shed is painted and the bicycle has new tyres.\n",
    "Backup/Postgres.md": "# Postgres backup restore\n\nTo restore a nightly dump drop the schema and load the archive.\n",
    "Backup/Photos.md": "# Photos\n\nPictures are copied to two disks, one of which lives at my parents' house.\n",
    "Дом/Дача.md": "# Дача\n\nВ субботу едем сажать картошку, выезжаем рано утром.\n",
    "Дом/Праздник.md": "# Праздник\n\nНа площади поставили ёлку, гирлянды горят до полуночи.\n",
    "Дом/Отпуск.md": "# Отпуск\n\nЛагерь стоял на берегу озера, рыба клевала только на рассвете.\n",
    "Дом/Птицы.md": "# Птицы\n\nЗа лесом есть озеро, где весной собираются журавли.\n",
    "Работа/Копии.md": "# Копии\n\nРезервная копия базы снимается ночью и хранится месяц.\n",
    "Работа/Переезд.md": "# Переезд\n\nСледующая миграция схемы назначена на понедельник.\n",
    "Работа/План.md": "# План\n\nОжидаются две миграции подряд, между ними день отдыха.\n",
    "硬件/功耗.md": "# 功耗\n\n这款芯片的功耗很低,电池可以用三天。\n",
    "硬件/屏幕.md": "# 屏幕\n\n屏幕的亮度可以自动调节。\n",
    "업무/금요일.md": "# 금요일\n\n배포는 금요일에 하지 않는다. 월요일 아침에 한다.\n",
    "업무/회의.md": "# 회의\n\n회의는 오전 열 시에 시작한다.\n",
    NFD_NAME: "# Заметка про себя\n\nКоротко о том, чем я занят этой осенью.\n",
    "Links.md": "# Links\n\nThe other page is [[Мой]].\n",
}
