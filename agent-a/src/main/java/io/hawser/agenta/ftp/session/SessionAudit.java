package io.hawser.agenta.ftp.session;

import io.hawser.agenta.account.Account;
import io.hawser.agenta.front.ClientTransfer;
import io.hawser.agenta.front.ClientTransfers;
import io.hawser.agenta.ftp.control.FtpReply;
import io.hawser.agenta.gsi.GsiLogin;
import io.hawser.core.ftp.CommandLine;
import io.hawser.core.ftp.FtpPath;
import io.hawser.core.model.TransferKey;
import io.hawser.ops.audit.Audit;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Notes for the audit log what a client does: logins, transfers, and changes of names, times and modes, each with its final reply. What only
 * asks (listings, sizes, checksums) is not noted. A password never is.
 *
 * <p>Thread: the loop.
 */
final class SessionAudit {
    /** A new command that changes something belongs here. */
    static final Set<String> NOTED = Set.of(
            "STOR", "STOU", "APPE", "ESTO", "RETR", "ERET", "DELE", "RNTO", "MKD", "XMKD", "RMD", "XRMD", "MFMT");
    /** Those whose argument is more than a path. */
    private static final Set<String> WITH_OPTIONS = Set.of("ESTO", "ERET", "MFMT", "MDTM", "SITE");

    private static final Pattern TIME_AND_PATH = Pattern.compile("[0-9]{14}(\\.[0-9]+)? .*");
    private static final Pattern SITE_CHANGE = Pattern.compile("(CHMOD|UTIME) .*");
    private static final int REFUSALS = 400;

    private final FtpSession session;
    private final InetSocketAddress peer;
    private final Audit notes;
    private final ClientTransfers transfers;
    private long beganNanos;
    private @Nullable MovedFile moved;
    private @Nullable CommandLine running;
    private String oldName = "";

    /** What the command that runs has moved. */
    private record MovedFile(FtpPath path, @Nullable TransferKey key, long bytes) {}

    SessionAudit(FtpSession session, InetSocketAddress peer, Audit notes, ClientTransfers transfers) {
        this.session = session;
        this.peer = peer;
        this.notes = notes;
        this.transfers = transfers;
    }

    void begins(CommandLine line) {
        running = line;
        beganNanos = System.nanoTime();
        moved = null;
        if (line.verb().equals("RNFR")) {
            oldName = path(line.argument());
        }
    }

    /** The upload that runs has that key. */
    void uploads(TransferKey key) {
        transfers.began(key, peer);
    }

    /** The command that runs has moved so much of a file: of an upload if there is a key. */
    void moved(FtpPath path, @Nullable TransferKey key, long bytes) {
        moved = new MovedFile(path, key, bytes);
    }

    /** The command that runs has this final reply. */
    void replied(FtpReply reply) {
        boolean isRefused = reply.code().code() >= REFUSALS;
        note(isRefused ? reply.code().code() + " " + String.join(" ", reply.lines()) : Audit.OK, isRefused);
    }

    /** The client has gone before the command that runs had its final reply. */
    void left() {
        note("the client was gone before the reply", true);
    }

    /** A data connection's TLS session is not the control connection's. */
    void dataSessionNotResumed() {
        write("data connection", "-", "it did not resume the control connection's TLS session");
    }

    private void note(String result, boolean isRefused) {
        CommandLine line = running;
        running = null;
        if (line == null) {
            return;
        }
        String verb = line.verb();
        if (verb.equals("PASS") || (verb.equals("ADAT") && isRefused)) {
            write("login", whoAsks(), result);
        } else if (moved != null) {
            writeMoved(verb, object(line), result, moved);
            moved = null;
        } else if (isNoted(line)) {
            write(verb, object(line), result);
        }
    }

    private void writeMoved(String verb, String object, String result, MovedFile file) {
        Duration took = Duration.ofNanos(System.nanoTime() - beganNanos);
        String who = session.isLoggedIn() ? session.account() : "-";
        TransferKey key = file.key();
        String id = key == null ? "" : key.toString();
        notes.transfer(who, verb, object, peer, result, new Audit.Moved(id, file.bytes(), took.toMillis()));
        transfers.ended(new ClientTransfer(
                key != null,
                file.path(),
                who,
                who.equals(Account.ANONYMOUS),
                peer,
                id,
                file.bytes(),
                took,
                session.settings().ascii(),
                result));
    }

    private static boolean isNoted(CommandLine line) {
        return switch (line.verb()) {
            case "MDTM" -> TIME_AND_PATH.matcher(line.argument()).matches();
            case "SITE" ->
                SITE_CHANGE.matcher(line.argument().toUpperCase(Locale.ROOT)).matches();
            default -> NOTED.contains(line.verb());
        };
    }

    /** The user name that the client gave, with the identity of its certificate. */
    private String whoAsks() {
        GsiLogin grid = session.gsi().login();
        String user = session.login().asked();
        return grid == null ? user : user + " " + grid.identity();
    }

    private String object(CommandLine line) {
        if (WITH_OPTIONS.contains(line.verb())) {
            return line.argument();
        }
        String path = path(line.argument());
        return line.verb().equals("RNTO") ? oldName + " -> " + path : path;
    }

    private String path(String argument) {
        try {
            return argument.isEmpty()
                    ? "-"
                    : session.workingDirectory().resolve(argument).toString();
        } catch (FtpPath.BadNameException e) {
            return argument; // it was refused, too
        }
    }

    private void write(String what, String object, String result) {
        String who = session.isLoggedIn() ? session.account() : "-";
        notes.note(who, what, object, peer, result);
    }
}
