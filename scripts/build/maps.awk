# scripts/build/maps.awk METRIC.DEF UNITS.MAP MAPS... : the names that other tools give to what they print, as C tables on
# standard output (formats/column.h declares them). A map has the language of --columns-from, NAME = "COLUMN" UNIT, ...,
# in [sections], each a table; docs/inputs.md explains it. A section [tool_NAME] stays the text of such a file, for logs with a
# line that "begins" so. Wrong lines end the build.
function fail(what) {
    printf "%s:%d: %s: %s\n", FILENAME, FNR, what, $0 >"/dev/stderr"
    failed = 1
    exit 1
}
function end_section(  mark) {
    if (section ~ /^tool_/) {
        if (length(text) > 500)
            fail("too long")
        printf "#define MAP_%s \"%s\"\n", section, text
    } else if (section == "units")
        printf "};\nconst size_t smi_unit_count = sizeof smi_units / sizeof *smi_units;\n"
    else if (section == "words" || section ~ /^say_/)
        printf "    {NULL, NULL%s},\n};\n", section == "words" ? "" : ", NULL"
    else if (section != "")
        printf "};\nconst struct smi_names smi_names_%s = {of_%s, %d};\n", section, section, rows
    for (mark in marks)
        printf "static const struct smi_alias of_%s[] = {\n%s};\nconst struct smi_names smi_names_%s = {of_%s, %d};\n",
            marks[mark], apart[mark], marks[mark], marks[mark], aparts[mark]
    split("", marks)
    rows = 0
}
function begin_section(name) {
    end_section()
    section = name
    text = "\\n"
    if (name ~ /^tool_/)
        return
    if (name == "units")
        printf "const struct smi_unit smi_units[] = {\n    {\"\", \"\", 1, 1},\n"
    else if (name == "words")
        printf "const char *const smi_gpu_csv_words[][2] = {\n"
    else if (name ~ /^say_/)
        printf "const struct smi_phrase smi_%s[] = {\n", name
    else
        printf "static const struct smi_alias of_%s[] = {\n", name
}
# What stands on the left, as a kind of column and what it is.
function meaning(left) {
    if (left ~ /^alarm\./)
        return "SMI_COL_ALARM, SMI_FAULT_" toupper(substr(left, 7))
    if (left in fixed)
        return fixed[left]
    if (left in metric)
        return (kind != "" ? kind : "SMI_COL_NUMBER") ", SMI_" metric[left]
    fail("there is nothing called " left)
}
# A row of a list of phrases.
function phrase(name, what,  i) {
    i = index(name, "...")
    return sprintf("    {\"%s\", \"%s\", %s},\n", i ? substr(name, 1, i - 1) : name, i ? substr(name, i + 3) : "", what)
}
# A column of the section: what it is, its name, and the words behind it.
function add_column(left, name, words,  n, i, at, rest, factor, how, bits, mark, of, row) {
    sub(/,? *$/, "", words)
    n = split(words, rest, " ")
    rows++
    if (section ~ /^say_/) {
        for (at in written)
            if (i = index(left, at))
                left = substr(left, 1, i - 1) written[at] substr(left, i + length(at))
        printf "%s", phrase(name, "\"" left "\"")
    } else if (section == "units") {
        if (n != 1 || split(rest[1], factor, "/") != 2)
            fail("no factor")
        unit[name] = rows
        printf "    {\"%s\", \"%s\", %s, %s},\n", name, left, factor[1], factor[2]
    } else if (section == "words")
        printf "    {\"%s\", \"%s\"},\n", name, left
    else {
        kind = left == "pstate" ? "SMI_COL_PSTATE" : ""
        how = bits = 0
        of = ""
        for (i = 1; i <= n; i++)
            if (rest[i] in unit)
                how = unit[rest[i]]
            else if (rest[i] in kinds)
                kind = kinds[rest[i]]
            else if (rest[i] in word)
                bits += word[rest[i]]
            else if (rest[i] in marks)
                of = rest[i]
            else
                fail("no unit: " rest[i])
        for (mark in marks)
            if (of == "" && length(mark) == 1 && index(name, mark))
                of = mark
        if (substr(name, 1, 1) in marks) {
            of = substr(name, 1, 1)
            name = substr(name, 2)
        }
        row = sprintf("    {\"%s\", %s, %d, %d},\n", name, meaning(left), how, bits)
        if (of == "")
            printf "%s", row
        else {
            apart[of] = apart[of] row
            aparts[of]++
            rows--
        }
    }
}
# The columns of all metrics with a key that begins with `front`: a star in their names stands for the rest of the key.
function add_family(front, name, words,  i, at, found) {
    at = index(name, "*")
    for (i = 1; i <= metrics; i++)
        if (at && index(metric_key[i], front) == 1) {
            add_column(metric_key[i], substr(name, 1, at - 1) substr(metric_key[i], length(front) + 1) substr(name, at + 1), words)
            found = 1
        }
    if (!found)
        fail("nothing begins like " front)
}
BEGIN {
    fixed["time"] = "SMI_COL_TIME, 0"
    fixed["name"] = "SMI_COL_NAME, 0"
    fixed["skip"] = "SMI_COL_SKIP, 0"
    split("uuid UUID pci.bus_id BUS serial SERIAL index INDEX gpu GPU", key, " ")
    for (i = 1; i < 10; i += 2)
        fixed[key[i]] = "SMI_COL_KEY, SMI_DEVICE_KEY_" key[i + 1]
    split("hostname HOST date DATE pid PID process PROCESS type TYPE lifetime LIFE info INFO part PART", place, " ")
    for (i = 1; i < 16; i += 2)
        fixed[place[i]] = "SMI_COL_PLACE, SMI_AT_" place[i + 1]
    kinds["active"] = "SMI_COL_ACTIVE"
    kinds["number"] = "SMI_COL_NUMBER"
    kinds["mask"] = "SMI_COL_MASK"
    word["monitor"] = word["gpu"] = 1
    word["metric"] = word["ram"] = 2
    word["process"] = word["gpu_ram"] = 4
    print "/* made by scripts/build/maps.awk */\n#include \"formats/format.h\"\n#include \"formats/row_engine.h\""
}
FILENAME ~ /\.def$/ {
    if (match($0, /^SMI_METRIC\([A-Z0-9_]+, "[^"]+"/)) {
        split(substr($0, 12), part, /[,"()] *"?/)
        id = part[1]
        sub(/^SMI_METRIC\([A-Z0-9_]+, "/, "")
        sub(/".*/, "")
        metric[$0] = id
        metric_key[++metrics] = $0
    }
    next
}
/^#/ || /^[ \t]*$/ { next }
# [query, apps, report: "/"]: names with the word apps behind them, and names with a stroke, are tables of their own. A mark in front
# of a name does not belong to it.
/^\[[a-z_]+(, [a-z_]+(: ".")?)*\]$/ {
    n = split(substr($0, 2, length($0) - 2), part, ", ")
    begin_section(part[1])
    for (i = 2; i <= n; i++)
        if (split(part[i], half, ": \"") == 2)
            marks[substr(half[2], 1, 1)] = half[1]
        else
            marks[part[i]] = part[i]
    next
}
section ~ /^tool_/ && sub(/^begins = /, "") {
    for (line = $0; match(line, /"([^"\\]|\\.)*"/); line = substr(line, RSTART + RLENGTH)) {
        tools = tools phrase(substr(line, RSTART + 1, RLENGTH - 2), "MAP_" section)
    }
    next
}
section ~ /^tool_/ {
    gsub(/"/, "\\\"")
    text = text $0 "\\n"
    next
}
/^@/ {
    written[substr($0, 1, index($0, " ") - 1)] = substr($0, index($0, "= ") + 2)
    next
}
{
    line = $0
    while (line != "") {
        if (section == "" || !match(line, /"([^"\\]|\\.)*"/))
            fail("no NAME = \"COLUMN\"")
        front = substr(line, 1, RSTART - 1)
        name = substr(line, RSTART + 1, RLENGTH - 2)
        line = substr(line, RSTART + RLENGTH)
        if (front ~ /= $/) {
            left = substr(front, 1, length(front) - 2)
            sub(/ +$/, "", left)
        } else if (front != "" || $0 ~ /^"/)
            fail("no NAME = in front of \"" name "\"")
        match(line, /^[^,]*,?[ \t]*/)
        words = substr(line, 1, RLENGTH)
        line = substr(line, RLENGTH + 1)
        if (left ~ /\.\*$/)
            add_family(substr(left, 1, length(left) - 1), name, words)
        else
            add_column(left, name, words)
    }
}
END {
    if (failed)
        exit 1
    end_section()
    printf "const struct smi_phrase smi_say_tool[] = {\n%s    {NULL, NULL, NULL},\n};\n", tools
}
