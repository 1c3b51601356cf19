package io.hawser.agenta.ftp.command;

import io.hawser.agenta.ftp.FtpReply;
import io.hawser.agenta.ftp.FtpSession;
import io.hawser.agenta.modee.BlockConnections;
import io.hawser.common.ftp.ReplyCode;
import java.util.Locale;
import java.util.OptionalLong;

/** {@code OPTS RETR}, {@code OPTS STOR} and {@code OPTS PASV} of GridFTP (GFD.20 section 4.3): {@code name=value;...}. */
final class TransferOptions {
    private static final int MAX_PARALLELISM = BlockConnections.MAX_CONNECTIONS / 4;

    private TransferOptions() {}

    /** {@code Parallelism=start,min,max;}. How a file is laid out over stripes is this server's choice: it has one. */
    static void retr(FtpSession session, String options) {
        for (String option : options.strip().split(";", -1)) {
            String[] pair = option.split("=", 2);
            if (pair[0].strip().equalsIgnoreCase("Parallelism")) {
                OptionalLong start = pair.length < 2 ? OptionalLong.empty() : Numbers.parse(pair[1].split(",", 2)[0]);
                if (start.isEmpty() || start.getAsLong() < 1) {
                    session.reply(FtpReply.of(ReplyCode.ARGUMENT_ERROR, "Parallelism needs a number of connections."));
                    return;
                }
                session.settings().parallelism((int) Math.min(start.getAsLong(), MAX_PARALLELISM));
            }
        }
        session.reply(
                FtpReply.of(ReplyCode.OK, "RETR opens " + session.settings().parallelism() + " connections."));
    }

    /** {@code AllowDelayed=1;}. */
    static void pasv(FtpSession session, String options) {
        switch (options.strip().toUpperCase(Locale.ROOT)) {
            case "ALLOWDELAYED=1;", "ALLOWDELAYED=1" -> session.settings().passiveDelayed(true);
            case "ALLOWDELAYED=0;", "ALLOWDELAYED=0" -> session.settings().passiveDelayed(false);
            default -> {
                session.reply(FtpReply.of(ReplyCode.ARGUMENT_ERROR, "PASV has the option AllowDelayed=0; or =1;"));
                return;
            }
        }
        session.reply(FtpReply.of(ReplyCode.OK, "PASV AllowDelayed is set."));
    }

    /** {@code EOF=1;} and the like ask for what MODE E does anyway. */
    static void stor(FtpSession session) {
        session.reply(FtpReply.of(ReplyCode.OK, "OK."));
    }
}
