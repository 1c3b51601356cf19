package io.hawser.agenta.ftp.command;

import io.hawser.agenta.account.Permission;
import io.hawser.agenta.ftp.FtpCommand;
import io.hawser.agenta.ftp.FtpReply;
import io.hawser.agenta.ftp.FtpSession;
import io.hawser.agenta.ftp.HeldNames;
import io.hawser.agenta.ftp.Namespace;
import io.hawser.agenta.ftp.NamespaceChange;
import io.hawser.agenta.ftp.NamespaceSubject;
import io.hawser.agenta.ftp.NewName;
import io.hawser.core.ftp.FtpPath;
import io.hawser.core.ftp.ReplyCode;
import java.util.List;
import java.util.Optional;

/**
 * {@code RNTO <SP> <pathname>}, RFC 959 section 4.1.3. A file that has the name is replaced, a directory is not. What is uploaded here
 * and not delivered yet gets its name at once, and at the far end when it is there: see {@link NamespaceChange}.
 */
final class RntoCommand implements FtpCommand {
    @Override
    public List<String> verbs() {
        return List.of("RNTO");
    }

    @Override
    public String syntax() {
        return "path";
    }

    @Override
    public Permission permission() {
        return Permission.WRITE;
    }

    @Override
    public void execute(FtpSession session, String argument) {
        NamespaceSubject subject = session.settings().takeRenamed();
        if (subject == null) {
            session.reply(FtpReply.of(ReplyCode.BAD_SEQUENCE, "Say first what, with RNFR."));
            return;
        }
        Optional<FtpPath> resolved = NamespaceSubject.resolve(session, argument);
        if (resolved.isEmpty()) {
            return;
        }
        FtpPath to = resolved.get();
        Namespace.Place target = session.server().namespace().place(to).orElseThrow();
        String refusal = refusal(session, subject, to, target);
        if (!refusal.isEmpty()) {
            session.reply(FtpReply.about(ReplyCode.NAME_NOT_ALLOWED, to, refusal));
        } else if (subject.path().equals(to)) {
            renamed(session, subject, to);
        } else {
            NewName.check(
                    session,
                    to,
                    false,
                    ReplyCode.NAME_NOT_ALLOWED,
                    () -> NamespaceChange.rename(session, subject, to, () -> renamed(session, subject, to)));
        }
    }

    private static String refusal(FtpSession session, NamespaceSubject subject, FtpPath to, Namespace.Place target) {
        if (!target.topic().equals(subject.place().topic())) {
            return "Invalid cross-device link";
        }
        if (target.name().startsWith(subject.place().name() + "/")) {
            return subject.directory() ? "Invalid argument" : "Not a directory";
        }
        Optional<HeldNames.Entry> there = session.server().heldNames().findTransferred(to);
        if (subject.path().equals(to) || there.isEmpty() || !session.seesNames()) {
            return "";
        }
        if (there.get().directory()) {
            return "File exists";
        }
        return subject.directory() ? "Not a directory" : "";
    }

    private static void renamed(FtpSession session, NamespaceSubject subject, FtpPath to) {
        session.server().knownDirectories().renamed(subject.path(), to);
        session.reply(FtpReply.about(ReplyCode.FILE_ACTION_OK, to, "Renamed."));
    }
}
