package io.hawser.common;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;
import io.hawser.ptcp.testkit.ModuleRules;
import java.nio.channels.FileChannel;
import java.nio.file.Files;

/** The rules of this module: what may know what. */
@AnalyzeClasses(
        packages = {"io.hawser.common", "io.hawser.client"},
        importOptions = ImportOption.DoNotIncludeTests.class)
class ArchitectureTest {
    private static final String[] PURE = {
        "io.hawser.common.model..",
        "io.hawser.common.hop..",
        "io.hawser.common.relay..",
        "io.hawser.common.remote..",
        "io.hawser.common.integrity.."
    };

    @ArchTest
    static final ArchRule NOTHING_IS_DECOMPRESSED = ModuleRules.nothingIsDecompressed("io.hawser.common..");

    @ArchTest
    static final ArchRule COMMON_KNOWS_NO_NODE = noClasses()
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage("io.hawser.broker..", "io.hawser.agenta..", "io.hawser.agentb..", "io.hawser.it..");

    @ArchTest
    static final ArchRule PURE_PACKAGES_DO_NO_IO = noClasses()
            .that()
            .resideInAnyPackage(PURE)
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage(
                    "java.net..",
                    "java.nio.channels..",
                    "java.nio.file..",
                    "java.util.concurrent.locks..",
                    "java.util.concurrent.atomic..",
                    "io.netty.channel..",
                    "io.hawser.ptcp..")
            .orShould()
            .dependOnClassesThat()
            .haveNameMatching(
                    "java\\.lang\\.Thread|java\\.util\\.concurrent\\.(ExecutorService|Executors|CompletableFuture|Scheduled.*)"
                            + "|java\\.io\\.(File|RandomAccessFile).*");

    @ArchTest
    static final ArchRule PURE_PACKAGES_HAVE_NO_CLOCK_AND_NO_DICE = ModuleRules.noClockAndNoDice(PURE);

    @ArchTest
    static final ArchRule PURE_PACKAGES_LOG_NOTHING = ModuleRules.nothingIsLogged(PURE);

    @ArchTest
    static final ArchRule PURE_PACKAGES_KNOW_ONLY_EACH_OTHER = noClasses()
            .that()
            .resideInAnyPackage(PURE)
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage(
                    "io.hawser.common.storage..",
                    "io.hawser.common.log..",
                    "io.hawser.common.spool..",
                    "io.hawser.common.landing..",
                    "io.hawser.common.transport..",
                    "io.hawser.common.wire..",
                    "io.hawser.common.cli..",
                    "io.hawser.client..");

    @ArchTest
    static final ArchRule STORES_REACH_THE_DISK_BY_ONE_DOOR = noClasses()
            .that()
            .resideInAnyPackage(
                    "io.hawser.common.log..",
                    "io.hawser.common.spool..",
                    "io.hawser.common.landing..",
                    "io.hawser.common.transport..",
                    "io.hawser.common.wire..")
            .should()
            .dependOnClassesThat()
            .belongToAnyOf(Files.class, FileChannel.class, java.io.RandomAccessFile.class);

    @ArchTest
    static final ArchRule SOCKETS_ARE_THE_TRANSPORTS = noClasses()
            .that()
            .resideOutsideOfPackages("io.hawser.common.transport..", "io.hawser.client..")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage("io.netty.channel..", "io.netty.bootstrap..");

    @ArchTest
    static final ArchRule PACKAGES_HAVE_NO_CYCLES =
            slices().matching("io.hawser.common.(*)..").should().beFreeOfCycles();
}
