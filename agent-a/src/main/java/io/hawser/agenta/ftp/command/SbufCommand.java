package io.hawser.agenta.ftp.command;

import io.hawser.agenta.ftp.FtpCommand;
import io.hawser.agenta.ftp.FtpReply;
import io.hawser.agenta.ftp.FtpSession;
import io.hawser.core.ftp.ReplyCode;
import java.util.List;
import java.util.OptionalLong;

/**
 * {@code SBUF <SP> <size>}, GFD.20 section 3: the socket buffers of the data connections that follow.
 */
final class SbufCommand implements FtpCommand {
    static void set(FtpSession session, String argument) {
        OptionalLong bytes = Numbers.parse(argument.strip());
        if (bytes.isEmpty()) {
            session.reply(FtpReply.of(ReplyCode.ARGUMENT_ERROR, "A number of bytes is missing."));
        } else {
            int set = session.settings().socketBuffers(bytes.getAsLong());
            session.reply(FtpReply.of(
                    ReplyCode.OK,
                    set == 0
                            ? "The system chooses the buffers."
                            : "Data connections get buffers of " + set + " bytes."));
        }
    }

    @Override
    public List<String> verbs() {
        return List.of("SBUF");
    }

    @Override
    public String syntax() {
        return "bytes";
    }

    @Override
    public void execute(FtpSession session, String argument) {
        set(session, argument);
    }
}
