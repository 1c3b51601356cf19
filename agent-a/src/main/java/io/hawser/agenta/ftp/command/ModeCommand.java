package io.hawser.agenta.ftp.command;

import io.hawser.agenta.ftp.FtpCommand;
import io.hawser.agenta.ftp.FtpReply;
import io.hawser.agenta.ftp.FtpSession;
import io.hawser.core.ftp.ReplyCode;
import java.util.List;
import java.util.Locale;

/**
 * {@code MODE <SP> <mode-code>}, RFC 959 section 3.4: stream mode, and the extended block mode of GFD.20 section 3.2.
 */
final class ModeCommand implements FtpCommand {
    @Override
    public List<String> verbs() {
        return List.of("MODE");
    }

    @Override
    public String syntax() {
        return "S|E";
    }

    @Override
    public void execute(FtpSession session, String argument) {
        switch (argument.strip().toUpperCase(Locale.ROOT)) {
            case "S" -> change(session, false, "Mode is Stream.");
            case "E" -> change(session, true, "Mode is Extended Block.");
            default ->
                session.reply(FtpReply.of(ReplyCode.ARGUMENT_NOT_IMPLEMENTED, "Only MODE S and MODE E are offered."));
        }
    }

    /** Data connections do not outlive a change. */
    private static void change(FtpSession session, boolean extendedBlocks, String text) {
        if (session.settings().extendedBlocks() != extendedBlocks) {
            session.dataPaths().close();
            session.settings().extendedBlocks(extendedBlocks);
        }
        session.reply(FtpReply.of(ReplyCode.OK, text));
    }
}
