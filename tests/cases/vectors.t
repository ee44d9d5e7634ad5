each has a case
# tests/vectors.tsv names the cases of the vectors of formats.md and numbers.md: they are all there.
  $ cd "$root/tests" || exit
  $ tail -n +2 vectors.tsv | cut -f 3 | tr ' ' '\n' | sort -u | while read -r name; do
  >     case $name in
  >     unit:*) grep -qs "cmocka_unit_test(${name#unit:})" unit/*.c ;;
  >     *) grep -qsx "$(tr _ ' ' <<<"${name#*/}")" "cases/${name%%/*}".t "cases/${name%%/*}"-*.t ;;
  >     esac || echo "$name is not there"
  > done
  $ for n in {1..26}; do grep -q "^formats 13\.$n$(printf '\t')" vectors.tsv || echo "no case for vector 13.$n"; done
