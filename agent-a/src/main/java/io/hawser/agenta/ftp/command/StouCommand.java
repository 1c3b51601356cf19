package io.hawser.agenta.ftp.command;

import io.hawser.agenta.account.Permission;
import io.hawser.agenta.ftp.FtpCommand;
import io.hawser.agenta.ftp.FtpSession;
import io.hawser.agenta.ftp.UploadOpening;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * {@code STOU}, RFC 959 section 4.1.3: an upload to a name that nothing else has, in the working directory. The name stands in the
 * reply to its start, {@code 150 FILE: name} (RFC 1123 section 4.1.2.9). An argument, which some clients send, begins the name.
 */
final class StouCommand implements FtpCommand {
    @Override
    public List<String> verbs() {
        return List.of("STOU");
    }

    @Override
    public String syntax() {
        return "";
    }

    @Override
    public @Nullable Permission permission() {
        return Permission.WRITE;
    }

    @Override
    public void execute(FtpSession session, String argument) {
        String begin = argument.isBlank() || argument.endsWith("/") ? argument.strip() + "upload" : argument;
        UploadOpening.store(session, begin + "." + UUID.randomUUID());
    }
}
