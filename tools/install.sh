#!/bin/bash
# Install Valat on a machine of its own, from the folder of this script; docs/hosting.md explains it.
# It can be run again at any time: with other options, after a change of /etc/valat.env, or from a newer version's folder.
set -euo pipefail
umask 022

usage() {
  cat <<'END'
Usage: tools/install.sh [OPTION]...
  --domain NAME          the name of the site, such as valat.example
  --mail ADDRESS         the host's address, for certificates and alerts
  --size small|large     small: one process and SQLite; large: two web processes, a clock, PostgreSQL and Redis
  --proxy caddy|nginx    the web server in front, by default Caddy
  --copy-to DESTINATION  copy each backup there by rsync: a folder such as /mnt/nas, or user@host:folder
  --stop                 stop the site while the database is migrated
  --dry-run              show what would be done
Options are remembered. It asks for a domain, an address and a size that it does not know yet.
END
}

say() { printf '\n== %s\n' "$*"; }
die() { printf 'install.sh: %s\n' "$*" >&2; exit 1; }

# Options

HERE=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd -P)
BASE=/srv/valat DATA=/var/lib/valat ENVIRONMENT=/etc/valat.env ANSWERS=/etc/valat.conf
CURRENT=$BASE/current STARTED=/run/valat-started
DOMAIN='' MAIL='' SIZE='' PROXY=caddy COPY_TO='' STOP='' DRY=''
# shellcheck source=/dev/null
[[ ! -r $ANSWERS ]] || . "$ANSWERS"
while (($#)); do
  case $1 in
    --domain | --mail | --size | --proxy | --copy-to)
      (($# > 1)) || die "$1 needs a value."
      name=${1#--} name=${name^^}
      printf -v "${name//-/_}" %s "$2"
      shift ;;
    --stop) STOP=1 ;;
    --dry-run) DRY=1 ;;
    --help) usage; exit ;;
    *) usage >&2; die "What is $1?" ;;
  esac
  shift
done

ask() { # NAME QUESTION
  [[ -z ${!1} ]] || return 0
  [[ -t 0 ]] || die "Give --${1,,}. $2"
  read -rp "$2 " "$1"
}
ask DOMAIN 'The name of the site, such as valat.example?'
ask MAIL 'Your address, for certificates and alerts?'
ask SIZE 'small (one process, SQLite) or large (several, PostgreSQL and Redis)?'
[[ $DOMAIN =~ ^[a-z0-9-]+(\.[a-z0-9-]+)+$ ]] || die "$DOMAIN is no name of a site: write one like valat.example"
[[ $MAIL =~ ^[A-Za-z0-9._+-]+@[A-Za-z0-9.-]+$ ]] || die "$MAIL is no address: write one like you@example.org"
[[ $SIZE == small || $SIZE == large ]] || die "The size is small or large, not $SIZE."
[[ $PROXY =~ ^(caddy|nginx)$ ]] || die "The proxy is caddy or nginx, not $PROXY."
[[ $COPY_TO =~ ^[A-Za-z0-9@:/._-]*$ ]] || die "$COPY_TO is no destination: write one like /mnt/nas or user@host:folder"
[[ $HERE == $BASE/* || -n $DRY ]] || die "Put this version into a folder of $BASE, not $HERE."
((EUID == 0)) || [[ -n $DRY ]] || die "Only root can install: use sudo."
# Packages and compilation need all cores for a minute, and so do the tables of a running site.
renice --priority 19 $$ >/dev/null
ionice --class idle --pid $$ || true # A container may forbid it.
if [[ $SIZE == large ]]; then
  LOCK=requirements-server.lock.txt UNITS='valat-web@8001 valat-web@8002 valat-clock@9101 valat-clock@9102'
else
  LOCK=requirements.lock.txt UNITS=valat-serve
fi
UNWANTED=() # enabled, but of the other size
for unit in /etc/systemd/system/valat.target.wants/valat-*; do
  [[ -L $unit ]] || continue
  unit=$(basename "$unit" .service)
  if [[ $SIZE == large && $unit == *@* ]]; then
    [[ " $UNITS " == *" $unit "* ]] || UNITS+=" $unit" # The host has added it.
  else
    [[ $unit == "$UNITS" ]] || UNWANTED+=("$unit")
  fi
done
[[ $PROXY == caddy ]] && OTHER_PROXY=nginx || OTHER_PROXY=caddy

# Steps. Each prints what it does, and does nothing if nothing is to be done.

run() {
  printf '+ %s\n' "$*"
  [[ -n $DRY ]] || "$@"
}
put() { # FILE MODE OWNER [WORDS] < CONTENT. Fails if the file is as it should be.
  local content
  content=$(cat)
  [[ $(cat "$1" 2>/dev/null) != "$content" ]] || return 1
  printf '+ %s\n' "${4:-write $1 ($2, $3)}"
  [[ -z $DRY ]] || return 0
  (umask 077 && printf '%s\n' "$content" >"$1.new")
  { chown "$3" "$1.new" && chmod "$2" "$1.new" && mv "$1.new" "$1"; } || die "$1 can't be written."
}
filled() { # A file of tools/hosting, with the names of this site.
  sed -e "s/valat\.example/$DOMAIN/g" -e "s/you@example\.org/$MAIL/g" "$HERE/tools/hosting/$1"
}
setting() { # NAME: its value in the environment file, or nothing. No value is ever an argument of a program.
  local line
  while IFS= read -r line; do
    [[ $line != "$1="* ]] || { printf %s "${line#*=}" && break; }
  done 2>/dev/null <"$ENVIRONMENT" || true
}
with_setting() { # NAME VALUE: the environment file with this line
  local line is_new=1
  while IFS= read -r line; do
    [[ $line != "$1="* ]] || { line="$1=$2" is_new=''; }
    printf '%s\n' "$line"
  done <"$ENVIRONMENT"
  [[ -z $is_new ]] || printf '%s\n' "$1=$2"
}
set_to() { # NAME VALUE
  if [[ -n $DRY ]]; then
    [[ -e $ENVIRONMENT && $(setting "$1") == "$2" ]] || printf '+ set %s in %s\n' "$1" "$ENVIRONMENT"
  else
    put "$ENVIRONMENT" 640 root:valat "set $1 in $ENVIRONMENT" < <(with_setting "$1" "$2") || true
  fi
}
set_if_missing() { [[ -n $(setting "$1") ]] || set_to "$1" "$2"; } # NAME VALUE
secret() { head -c 60 /dev/urandom | base64 | tr -d '+/\n'; }
has_packages() { [[ -x $HERE/.venv/bin/python ]]; }
manage() { runuser -u valat -- "$HERE/.venv/bin/python" "$HERE/manage.py" "$@"; }
in_postgresql() { (cd / && runuser -u postgres -- psql --quiet --tuples-only --no-align); } # < SQL
port() { [[ $1 == *@* ]] && echo "${1#*@}" || echo 8001; } # UNIT
is_ready() { # UNIT
  local path=healthz/ready
  [[ $1 != valat-clock@* ]] || path=metrics
  curl --fail --silent --max-time 5 --output /dev/null "http://127.0.0.1:$(port "$1")/$path"
}
restart() { # UNIT: start it anew, and wait until it serves
  run systemctl restart "$1"
  local deadline=$((SECONDS + 90))
  until [[ -n $DRY ]] || is_ready "$1"; do
    ((SECONDS < deadline)) || die "$1 is not ready. Read its log: journalctl --unit $1"
    sleep 0.2
  done
}

# Packages

[[ $(setting DATABASE_URL) == postgres* ]] && OLD_SIZE=large || OLD_SIZE=$([[ ! -e $ANSWERS ]] || echo small)
[[ $OLD_SIZE != large || $SIZE == large ]] || die "This site is large. docs/hosting.md has the way back."

say "Debian's packages"
packages=(python3 python3-venv ca-certificates curl)
[[ $PROXY == caddy ]] && packages+=(caddy) || packages+=(nginx certbot python3-certbot-nginx)
[[ $SIZE == small ]] || packages+=(postgresql redis-server)
[[ -z $COPY_TO ]] || packages+=(rsync openssh-client)
! systemctl is-active --quiet "$OTHER_PROXY" 2>/dev/null || run systemctl disable --quiet --now "$OTHER_PROXY" # port 80
missing=()
for package in "${packages[@]}"; do
  [[ $(dpkg-query --show --showformat '${db:Status-Status}' "$package" 2>/dev/null) == installed ]] || missing+=("$package")
done
if ((${#missing[@]})); then
  run apt-get update -qq
  printf '+ apt-get install %s\n' "${missing[*]}"
  [[ -n $DRY ]] || DEBIAN_FRONTEND=noninteractive apt-get install --yes -qq --no-install-recommends -o Dpkg::Use-Pty=0 "${missing[@]}" >/dev/null
fi
[[ -n $DRY ]] || python3 -c 'import sys; sys.exit(sys.version_info < (3, 12))' || die \
  "Valat needs Python 3.12, and this is $(python3 --version): use Debian 13. Debian 12 lacks a newer Python."

say "User, folders and settings"
id valat >/dev/null 2>&1 || run useradd --system --user-group --home-dir $DATA --shell /usr/sbin/nologin valat
for folder in "$DATA 700" "$DATA/backups 700" "$BASE/static 755"; do
  [[ -d ${folder% *} ]] || run install -d -o valat -g valat -m "${folder#* }" "${folder% *}"
done
[[ -e $ENVIRONMENT || -n $DRY ]] || put $ENVIRONMENT 640 root:valat <<<"# Settings of Valat: docs/hosting.md lists them. Run tools/install.sh after a change."
put $ANSWERS 644 root:root < <(for name in DOMAIN MAIL SIZE PROXY COPY_TO; do printf '%s=%q\n' $name "${!name}"; done) || true
set_if_missing SECRET_KEY "$(secret)"
set_to ALLOWED_HOSTS "$DOMAIN"
set_to CSRF_TRUSTED_ORIGINS "https://$DOMAIN"
set_if_missing HTTPS on
set_if_missing TRUSTED_PROXIES 1
set_if_missing STATIC_ROOT $BASE/static
set_if_missing DEFAULT_FROM_EMAIL "Valat <valat@$DOMAIN>"

say "Python's packages"
# Versions with the same packages share a folder of them.
name=$(sha256sum <"$HERE/$LOCK")
venv=$BASE/packages/${name:0:12}-$(readlink -f "$(command -v python3 || echo python3)" | sed 's/.*python//')
if [[ ! -e $venv/complete ]]; then
  run python3 -m venv --clear "$venv"
  run "$venv/bin/python" -m pip install --quiet --disable-pip-version-check --require-hashes -r "$HERE/$LOCK"
  run touch "$venv/complete"
fi
[[ $(readlink "$HERE/.venv") == "$venv" ]] || run ln -sfn "$venv" "$HERE/.venv"
[[ $(readlink "$HERE/.env") == "$ENVIRONMENT" ]] || run ln -sfn $ENVIRONMENT "$HERE/.env"
for catalog in "$HERE"/locale/*/LC_MESSAGES/django.po; do
  [[ ! ${catalog%.po}.mo -nt $catalog ]] || continue
  run "$HERE/.venv/bin/python" "$HERE/manage.py" compilemessages -v 0
  run "$HERE/.venv/bin/python" -m compileall -q "$HERE/accounts" "$HERE/config" "$HERE/games"
  break
done
[[ $(readlink $CURRENT) == "$HERE" ]] || run manage collectstatic --noinput --verbosity 0

say "Database"
if [[ $SIZE == small ]]; then
  set_if_missing DATABASE_URL "sqlite:///$DATA/db.sqlite3"
else
  if [[ -z $(setting REDIS_URL) ]]; then
    ! grep -q '^requirepass' /etc/redis/redis.conf 2>/dev/null || die "Redis has a password. Set REDIS_URL in $ENVIRONMENT."
    password=$(secret)
    [[ -n $DRY ]] || grep -q '^include /etc/redis/valat.conf' /etc/redis/redis.conf || echo 'include /etc/redis/valat.conf' >>/etc/redis/redis.conf
    put /etc/redis/valat.conf 640 redis:redis <<<"requirepass $password" || true
    run systemctl restart redis-server
    set_to REDIS_URL "redis://:$password@127.0.0.1:6379/0"
  fi
  url=postgres:////run/postgresql/valat # The local socket lets the user valat in, without a password.
  if [[ $(in_postgresql 2>/dev/null <<<"SELECT 1 FROM pg_database WHERE datname = 'valat'") != 1 ]]; then
    run in_postgresql <<<"CREATE ROLE valat LOGIN; CREATE DATABASE valat OWNER valat;"
  fi
  if [[ $OLD_SIZE == small ]]; then
    say "Moving from SQLite to PostgreSQL"
    run systemctl stop valat.target
    run manage backup --force $DATA/backups/move.backup
    DATABASE_URL=$url run manage restore --force $DATA/backups/move.backup
    DATABASE_URL=$url run manage replay_check
    set_to DATABASE_URL $url
  fi
  set_if_missing DATABASE_URL $url
fi
if ! has_packages || ! manage migrate --check >/dev/null 2>&1; then
  [[ ! -e $CURRENT ]] || run manage backup --force "$DATA/backups/before-$(basename "$HERE").backup"
  [[ -z $STOP ]] || run systemctl stop valat.target
  run manage migrate --verbosity 0 || die "The database was not migrated. If the line above says so, use --stop."
fi
[[ -n $(setting VAPID_PRIVATE_KEY) || -n $DRY ]] || { line=$(manage vapid_keys --print) && set_to "${line%%=*}" "${line#*=}"; }
[[ $(readlink $CURRENT) == "$HERE" ]] || run ln -sfn "$HERE" $CURRENT

say "Services"
put /usr/local/bin/valat 755 root:root < <(cat "$HERE/tools/hosting/valat") || true
[[ -n $DRY ]] || mkdir -p /etc/systemd/system/valat-.service.d
has_changed=''
for file in "$HERE"/tools/hosting/valat.target "$HERE"/tools/hosting/valat-*.{service,timer} "$HERE"/tools/hosting/valat-.service.d/*; do
  file=${file#"$HERE/tools/hosting/"}
  put "/etc/systemd/system/$file" 644 root:root < <(filled "$file") && has_changed=1
done
copy=/etc/systemd/system/valat-daily.service.d
if [[ -n $COPY_TO ]]; then
  [[ -n $DRY ]] || mkdir -p $copy
  put $copy/copy.conf 644 root:root <<END && has_changed=1
[Service]
ExecStart=/usr/bin/rsync --recursive --times --perms --rsh 'ssh -o BatchMode=yes -o StrictHostKeyChecking=accept-new' $DATA/backups/ $COPY_TO/
$([[ $COPY_TO != /* ]] || echo "ReadWritePaths=$COPY_TO")
END
elif [[ -e $copy ]]; then
  run rm -r $copy && has_changed=1
fi
[[ -z $has_changed ]] || run systemctl daemon-reload
((${#UNWANTED[@]} == 0)) || run systemctl disable --quiet --now "${UNWANTED[@]}"
for unit in valat.target valat-daily.timer $UNITS; do
  systemctl is-enabled --quiet "$unit" 2>/dev/null || run systemctl enable --quiet "$unit"
done
run_all=$([[ -e $STARTED ]] && find $ENVIRONMENT $CURRENT /etc/systemd/system/valat* -newer $STARTED 2>/dev/null || echo all)
for unit in $UNITS; do
  if [[ -n $run_all ]] || ! systemctl is-active --quiet "$unit"; then restart "$unit"; fi
done
[[ -z $run_all ]] || run touch $STARTED
for unit in valat.target valat-daily.timer; do
  systemctl is-active --quiet $unit 2>/dev/null || run systemctl start $unit
done

say "Proxy"
webs=''
for unit in $UNITS; do
  [[ $unit == valat-clock@* ]] || webs+=" 127.0.0.1:$(port "$unit")"
done
with_webs() { # The configuration of a proxy, with the web processes of this machine
  awk -v webs="${webs# }" '
    BEGIN { count = split(webs, web) }
    /server 127.0.0.1:8001/ { for (i = 1; i <= count; i++) { line = $0; sub(/127.0.0.1:8001/, web[i], line); print line } }
    !/server 127.0.0.1/ { sub(/127.0.0.1:8001 127.0.0.1:8002/, webs); print }'
}
has_changed=''
if [[ $PROXY == caddy ]]; then
  [[ ! -e /etc/caddy/Caddyfile || -e /etc/caddy/Caddyfile.before-valat ]] || run cp /etc/caddy/Caddyfile /etc/caddy/Caddyfile.before-valat
  put /etc/caddy/Caddyfile 644 root:root < <(filled Caddyfile | with_webs) && has_changed=1
else
  if [[ ! -e /etc/letsencrypt/live/$DOMAIN ]]; then
    run systemctl start nginx
    run certbot certonly --quiet --non-interactive --nginx --agree-tos --email "$MAIL" --domain "$DOMAIN" \
      --deploy-hook 'systemctl reload nginx'
  fi
  put /etc/nginx/modules-enabled/90-valat.conf 644 root:root <<<'worker_rlimit_nofile 16384;' && has_changed=1
  put /etc/nginx/nginx.conf 644 root:root < <(sed 's/worker_connections 768;/worker_connections 8192;/' /etc/nginx/nginx.conf 2>/dev/null) && has_changed=1
  put /etc/nginx/conf.d/valat.conf 644 root:root < <(filled nginx.conf | with_webs) && has_changed=1
fi
{ systemctl is-active --quiet $PROXY && systemctl is-enabled --quiet $PROXY; } || run systemctl enable --quiet --now $PROXY
[[ -z $has_changed ]] || run systemctl reload $PROXY

say "Administrator and first backup"
has_admin='from accounts.models import User; raise SystemExit(not User.objects.filter(is_superuser=True).exists())'
if ! has_packages || ! manage shell --verbosity 0 --command "$has_admin"; then
  password=$(secret) password=${password:0:20}
  DJANGO_SUPERUSER_PASSWORD=$password run manage createsuperuser --no-input --username host
  [[ -n $DRY ]] || printf 'Log in at https://%s/admin/ as host with the password %s and change it.\n' "$DOMAIN" "$password"
fi
compgen -G "$DATA/backups/????-??-??.backup" >/dev/null || run systemctl start valat-daily.service

say "Report"
[[ -n $DRY ]] || for attempt in 1 2 3 4 5 6; do
  report=$(manage doctor 2>&1) && break
  sleep $attempt # for a certificate, or the clock's first heartbeat
done
[[ -n $DRY ]] || { printf '%s\n' "$report"; [[ $report == *"The site is well." ]]; }
