node directory of root
# The container of node.yaml starts on a directory that the kubelet made: root's, mode 0755. Its command runs with the user, the
# capabilities and the read-only root that the manifest gives it, twice; it records, answers by the name of the Service, and
# removes what is older than a month. Root only, in namespaces of its own.
  $ out=$(SMILOG=$(command -v smilog) /usr/bin/python3 -B "$root/tests/system/kubernetes_check.py" --only node)
  $ [ $? != 77 ] || exit 77
  $ echo "$out"
  1 passed, 0 failed
