package io.hawser.agenta.ftp.command;

import io.hawser.agenta.account.Account;
import io.hawser.agenta.account.Permission;
import io.hawser.agenta.ftp.session.FtpSession;
import io.hawser.agenta.namespace.PathFacts;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * The facts of MLST and MLSD (RFC 3659 section 7.5) that a client has selected, and the form of times (section 2.3).
 *
 * @param selected the names of the facts that are sent, of {@link #ALL}
 */
record MlstFacts(Set<String> selected) {
    static final List<String> ALL = List.of("Type", "Size", "Modify", "Perm", "UNIX.mode", "Unique");

    private static final DateTimeFormatter TIME =
            DateTimeFormatter.ofPattern("uuuuMMddHHmmss").withZone(ZoneOffset.UTC);

    static MlstFacts of(FtpSession session) {
        return new MlstFacts(session.settings().mlstFacts().orElse(Set.copyOf(ALL)));
    }

    /** The facts that OPTS MLST names; others are ignored (RFC 3659 section 7.9). */
    static Set<String> select(String names) {
        Set<String> wanted = new TreeSet<>(String.CASE_INSENSITIVE_ORDER);
        wanted.addAll(List.of(names.strip().split(";")));
        return ALL.stream().filter(wanted::contains).collect(Collectors.toUnmodifiableSet());
    }

    /** The line in FEAT; a star marks a fact that is sent now (RFC 3659 section 7.8). */
    String feature() {
        return "MLST "
                + ALL.stream()
                        .map(name -> name + (selected.contains(name) ? "*;" : ";"))
                        .collect(Collectors.joining());
    }

    /** The names, as the reply to OPTS MLST has them. */
    String names() {
        return ALL.stream().filter(selected::contains).map(name -> name + ";").collect(Collectors.joining());
    }

    /**
     * The facts and the space before the name. In a directory files can be stored and directories made; a file can be replaced: as far as
     * {@code account} may.
     */
    String of(PathFacts entry, Account account) {
        StringBuilder out = new StringBuilder();
        add(out, "Type", entry.directory() ? "dir" : "file");
        add(out, "Size", entry.directory() ? "" : Long.toString(entry.sizeBytes()));
        add(out, "Modify", entry.modifiedMillis() == 0 ? "" : time(entry.modifiedMillis()));
        add(out, "Perm", permissions(entry, account));
        add(out, "UNIX.mode", String.format(Locale.ROOT, "%04o", entry.mode()));
        add(out, "Unique", entry.unique());
        return out.append(' ').toString();
    }

    private static String permissions(PathFacts entry, Account account) {
        boolean writes = account.may(Permission.WRITE);
        if (entry.directory()) {
            return (writes ? "c" : "") + "e" + (account.may(Permission.LIST) ? "l" : "") + (writes ? "m" : "");
        }
        return (account.may(Permission.READ) ? "r" : "") + (writes ? "w" : "");
    }

    private void add(StringBuilder out, String name, String value) {
        if (!value.isEmpty() && selected.contains(name)) {
            out.append(name).append('=').append(value).append(';');
        }
    }

    static String time(long epochMillis) {
        return TIME.format(Instant.ofEpochMilli(epochMillis));
    }
}
