package io.hawser.agenta.ftp.command;

import io.hawser.agenta.ftp.FtpReply;
import io.hawser.agenta.ftp.FtpSession;
import io.hawser.agenta.ftp.NamespaceChange;
import io.hawser.agenta.ftp.NamespaceSubject;
import io.hawser.core.ftp.ReplyCode;
import io.hawser.core.model.Attributes;
import io.hawser.core.model.TransferKind;
import java.util.Map;

/** Sets a modification time for MFMT, MDTM and SITE UTIME. Mirrors do so after each file: it costs no wait for the far end. */
final class TimeChange {
    private TimeChange() {}

    static void send(FtpSession session, String argument, long epochMillis, ReplyCode code) {
        NamespaceSubject.resolve(session, argument)
                .ifPresent(path -> NamespaceSubject.findKnown(
                        session,
                        path,
                        subject -> NamespaceChange.send(
                                session,
                                subject,
                                TransferKind.SET_TIME,
                                Map.of(Attributes.MODIFIED_MILLIS, Long.toString(epochMillis)),
                                () -> session.reply(
                                        FtpReply.of(code, "Modify=" + MlstFacts.time(epochMillis) + "; " + path)))));
    }
}
