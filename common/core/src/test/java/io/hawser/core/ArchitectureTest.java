package io.hawser.core;

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
@AnalyzeClasses(packages = "io.hawser.core", importOptions = ImportOption.DoNotIncludeTests.class)
class ArchitectureTest {
    private static final String[] PURE = {
        "io.hawser.core.model..",
        "io.hawser.core.collection..",
        "io.hawser.core.hop..",
        "io.hawser.core.remote..",
        "io.hawser.core.integrity..",
        "io.hawser.core.why.."
    };

    @ArchTest
    static final ArchRule NOTHING_IS_DECOMPRESSED = ModuleRules.nothingIsDecompressed("io.hawser.core..");

    @ArchTest
    static final ArchRule PURE_PACKAGES_DO_NO_IO = ModuleRules.noInputOutput(PURE);

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
            .resideInAnyPackage("io.hawser.core.transport..", "io.hawser.core.wire..", "io.hawser.core.tls..");

    @ArchTest
    static final ArchRule DISKS_ARE_THE_STORES = noClasses()
            .that()
            .resideInAnyPackage("io.hawser.core.transport..", "io.hawser.core.wire..")
            .should()
            .dependOnClassesThat()
            .belongToAnyOf(Files.class, FileChannel.class, java.io.RandomAccessFile.class);

    @ArchTest
    static final ArchRule SOCKETS_ARE_THE_TRANSPORTS = noClasses()
            .that()
            .resideOutsideOfPackages("io.hawser.core.transport..")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage("io.netty.channel..", "io.netty.bootstrap..");

    @ArchTest
    static final ArchRule PACKAGES_HAVE_NO_CYCLES =
            slices().matching("io.hawser.core.(*)..").should().beFreeOfCycles();
}
