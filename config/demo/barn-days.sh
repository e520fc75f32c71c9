#!/usr/bin/env bash
# barn-days.sh ZONE FOLDER: writes the demo stable's data that depends on the date, for today in ZONE: care.csv with care that is
# due, and forecast.csv with two days of hourly weather and a wet night around the freezing point.
set -euo pipefail
export TZ="$1"
folder="$2"
today="$(date +%F)"

# horse,type,days ago,due in days (or none),cost,provider
while IFS=, read -r horse type ago due cost provider; do
  [ "$due" = none ] && next="" || next="$(date -d "$today $due days" +%F)"
  echo "$horse,$type,$(date -d "$today -$ago days" +%F),$next,$cost,$provider"
done >"$folder/care.csv.rows" <<'ROWS'
Amber Flight,farrier,42,0,95.00,Bell Farriery
Barnaby,farrier,35,7,95.00,Bell Farriery
Calypso,deworming,97,-7,18.50,
Dapple Grey,dental,364,1,140.00,Dr. Ruiz
Ember,vaccination,366,-1,85.00,Dr. Ruiz
Fable,vet,3,11,220.00,Dr. Ruiz
Galileo,farrier,38,4,160.00,Bell Farriery
Hazel,injury,2,none,310.75,Dr. Ruiz
Juniper,farrier,49,-7,95.00,Bell Farriery
Kestrel,deworming,83,7,18.50,
Larkspur,vaccination,200,165,85.00,Dr. Ruiz
Maverick,vet,10,20,180.00,Dr. Ruiz
Old Tom,dental,379,-14,140.00,Dr. Ruiz
Pepper,farrier,1,41,95.00,Bell Farriery
Sable,medication,5,2,44.20,
Vesper,medication,0,14,61.90,
ROWS
{ echo "horse,type,date,next_due,cost,provider"; cat "$folder/care.csv.rows"; } >"$folder/care.csv"
rm "$folder/care.csv.rows"

# 48 hours from local midnight; the hour of the zone selects the weather, and the time is written in UTC.
start="$(date -d "$today 00:00" +%s)"
{
  echo "time,air_c,wind_kmh,rain_mm,rain_probability"
  for hour in $(seq 0 47); do
    case $((hour % 24)) in
      [0-5] | 2[1-3]) echo "$hour -2.5 14 0.4 80" ;;
      [6-9]) echo "$hour 2 9 0 20" ;;
      1[0-7]) echo "$hour 8.5 11 0 10" ;;
      *) echo "$hour 3 12 0.2 60" ;;
    esac
  done | while read -r hour air wind rain chance; do
    echo "$(date -u -d "@$((start + hour * 3600))" +%FT%TZ),$air,$wind,$rain,$chance"
  done
} >"$folder/forecast.csv"
