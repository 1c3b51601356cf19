package io.hawser.agenta.ftp;

import static org.assertj.core.api.Assertions.assertThat;

import io.hawser.agenta.testkit.FtpFixture;
import io.hawser.agenta.testkit.OnUsualFtpServer;
import io.hawser.agenta.testkit.RawFtp;
import io.hawser.core.model.ReceiptStatus;
import io.hawser.core.model.TransferKind;
import io.hawser.store.spool.TransferSnapshot;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Directories that were made here, or entered: what the far end says of them counts more than what is remembered. */
class MadeDirectoriesTest extends OnUsualFtpServer {

    @Override
    protected FtpFixture server() throws Exception {
        return FtpFixture.start(config -> config.withUploaders());
    }

    private String refused(int code, String command) throws Exception {
        client.passivePort();
        client.send(command);
        return client.expect(code);
    }

    @Test
    void oneThatCouldNotBeMadeIsNone() throws Exception {
        client.ok("MKD /site-b/f");
        assertThat(refused(553, "STOR /site-b/f")).contains("Is a directory");

        TransferSnapshot mkd = ftp.spool.all().get(0);
        ftp.spool.receipt(mkd.key(), "site-b", ReceiptStatus.FAILED, "File exists");
        ftp.spool.finishAll();

        client.upload("STOR /site-b/f", new byte[1]);
    }

    @Test
    void whereAFileWasDeliveredNoneIsMadeAlsoWhileTheFarEdgeIsAway() throws Exception {
        client.upload("STOR /site-b/f", new byte[1]);
        ftp.spool.finishAll();

        assertThat(refused(550, "MKD /site-b/f")).contains("File exists");
        client.ok("MKD /site-b/g");
    }

    @Test
    void oneThatSomebodyTookAwayThereIsNone() throws Exception {
        ftp.remote.connect();
        for (String command : List.of("STOR", "APPE")) {
            client.ok("MKD /site-b/taken");
            ftp.spool.finishAll();
            client.upload(command + " /site-b/taken", new byte[1]);
            client.ok("DELE /site-b/taken");
            ftp.spool.finishAll();
        }
    }

    @Test
    void oneThatIsThereIsADirectoryAlsoWhileTheFarEdgeIsAway() throws Exception {
        ftp.remote.connect();
        client.ok("MKD /site-b/d");
        ftp.spool.finishAll();
        ftp.remote.directory("d");
        assertThat(refused(553, "STOR /site-b/d")).contains("Is a directory");
        ftp.remote.disconnect();
        assertThat(refused(553, "APPE /site-b/d")).contains("Is a directory");
    }

    @Test
    void whoIsNotToldThatAFileIsThereMakesItNoDirectoryForOthers() throws Exception {
        ftp.remote.connect().file("f", new byte[10]);
        try (RawFtp writer = RawFtp.login(ftp.port, "anna")) {
            writer.ok("MKD /site-b/f");
        }
        ftp.spool.finishAll();
        client.upload("APPE /site-b/f", new byte[1]);
        ftp.spool.finishAll();
        client.upload("STOR /site-b/f", new byte[1]);
    }

    @Test
    void whatTheFarEdgeRefusesIsNotEnteredNorMadeByNcftp() throws Exception {
        ftp.remote.connect().linkOut("out");
        client.expect("CWD /site-b/out", 550, "Permission denied");
        client.ok("CLNT NcFTPPut 3");
        client.expect("CWD /site-b/out", 550, "Permission denied");
        assertThat(ftp.spool.all()).isEmpty();
    }

    @Test
    void whatNcftpEntersIsMadeOnlyWhereItCanBe() throws Exception {
        client.upload("STOR /site-b/mine", new byte[1]);
        client.ok("CLNT NcFTPPut 3");
        client.expect("CWD /site-b/mine/sub", 550, "Not a directory");
        client.expect("CWD /site-b/.hawser-landing-x", 553, "kept for incomplete files");
        client.ok("CWD /site-b/new");
        assertThat(ftp.spool.all())
                .filteredOn(state -> state.manifest().kind() == TransferKind.MAKE_DIRECTORY)
                .extracting(state -> state.manifest().name())
                .containsExactly("new");
    }
}
