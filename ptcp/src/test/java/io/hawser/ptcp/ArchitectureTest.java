package io.hawser.ptcp;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;
import io.hawser.ptcp.testkit.ModuleRules;

/** The rules of this module: what may know what. */
@AnalyzeClasses(packages = "io.hawser", importOptions = ImportOption.DoNotIncludeTests.class)
class ArchitectureTest {
    private static final String[] PURE = {"io.hawser.ptcp.session..", "io.hawser.ptcp.stream..", "io.hawser.ptcp.tune.."
    };

    @ArchTest
    static final ArchRule NOTHING_IS_DECOMPRESSED = ModuleRules.nothingIsDecompressed("io.hawser.ptcp..");

    @ArchTest
    static final ArchRule PTCP_KNOWS_NOTHING_ELSE_OF_HAWSER = noClasses()
            .that()
            .resideInAPackage("io.hawser.ptcp..")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage(
                    "io.hawser.core..",
                    "io.hawser.client..",
                    "io.hawser.broker..",
                    "io.hawser.agenta..",
                    "io.hawser.agentb..");

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
                    "java.util.concurrent..",
                    "io.netty.channel..",
                    "io.netty.bootstrap..",
                    "io.hawser.ptcp.netty..")
            .orShould()
            .dependOnClassesThat()
            .haveFullyQualifiedName("java.lang.Thread")
            .orShould()
            .dependOnClassesThat()
            .haveNameMatching("java\\.io\\.(File|RandomAccessFile).*");

    @ArchTest
    static final ArchRule PURE_PACKAGES_LOG_NOTHING = ModuleRules.nothingIsLogged(PURE);

    @ArchTest
    static final ArchRule PURE_PACKAGES_HAVE_NO_CLOCK_AND_NO_DICE = ModuleRules.noClockAndNoDice(PURE);

    @ArchTest
    static final ArchRule WIRE_KNOWS_NO_CHANNELS = noClasses()
            .that()
            .resideInAPackage("io.hawser.ptcp.wire..")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage(
                    "io.netty.channel..", "java.net..", "io.hawser.ptcp.netty..", "io.hawser.ptcp.session..");

    @ArchTest
    static final ArchRule AUTO_READ_IS_SWITCHED_IN_ONE_PLACE = noClasses()
            .that()
            .doNotHaveFullyQualifiedName("io.hawser.ptcp.netty.ExactReader")
            .should()
            .callMethod(io.netty.channel.ChannelConfig.class, "setAutoRead", boolean.class);

    @ArchTest
    static final ArchRule NO_PACKAGE_CYCLES =
            slices().matching("io.hawser.ptcp.(*)..").should().beFreeOfCycles();

    @ArchTest
    static final ArchRule INNER_PACKAGES_DO_NOT_KNOW_THE_ROOT = noClasses()
            .that()
            .resideInAPackage("io.hawser.ptcp.*")
            .should()
            .dependOnClassesThat()
            .resideInAPackage("io.hawser.ptcp");
}
