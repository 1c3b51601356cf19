package io.hawser.agenta.sftp.session;

import io.hawser.agenta.custody.CustodyRules;
import java.time.Duration;

/**
 * What an operator may set for SFTP sessions.
 *
 * @param custody when an upload's end is confirmed
 * @param custodyWait how long a client waits for that at most
 * @param evidenceWindow how long a client must at least live on after it has closed a file that it has written
 */
public record SftpPolicy(CustodyRules custody, Duration custodyWait, Duration evidenceWindow) {}
