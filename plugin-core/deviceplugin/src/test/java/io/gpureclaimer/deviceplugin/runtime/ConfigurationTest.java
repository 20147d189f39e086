package io.gpureclaimer.deviceplugin.runtime;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.gpureclaimer.deviceplugin.allocation.DeviceIdStrategy;
import io.gpureclaimer.deviceplugin.allocation.MigStrategy;
import io.gpureclaimer.deviceplugin.config.PluginSettings;
import io.gpureclaimer.deviceplugin.runtime.Configuration.ActiveConfiguration;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Isolated;
import org.slf4j.LoggerFactory;

@Isolated("reads the log")
class ConfigurationTest {
  private static final Instant START = Instant.parse("2026-11-22T00:00:00Z");
  private static final Map<String, String> NO_VALUES = Map.of();
  private static final String BAD = "flags: {migStrategy: both}";
  private static final String WHY =
      "config.yaml:1:22: flags.migStrategy must be one of none, single, mixed, was \"both\"";

  private final ListAppender<ILoggingEvent> log = new ListAppender<>();

  @TempDir Path folder;

  @BeforeEach
  void readAlong() {
    log.start();
    logger().setLevel(Level.INFO);
    logger().setAdditive(false);
    logger().addAppender(log);
  }

  @AfterEach
  void isNoLongerRead() {
    logger().detachAppender(log);
    logger().setLevel(null);
    logger().setAdditive(true);
  }

  @Test
  void theCommandLineGoesFirst_thenTheEnvironment_thenTheFile() {
    var source =
        FakeSource.of(
            "flags: {migStrategy: mixed, mpsRoot: /file, plugin: {deviceIDStrategy: index}}");

    PluginSettings settings =
        Configuration.begin(
                Map.of("mig-strategy", "single"),
                Map.of("MIG_STRATEGY", "none", "MPS_ROOT", "/variable"),
                source,
                true,
                START)
            .settings()
            .orElseThrow();

    assertThat(settings.offer().mig()).isEqualTo(MigStrategy.SINGLE);
    assertThat(settings.allocation().response().mpsRoot()).isEqualTo(Path.of("/variable"));
    assertThat(settings.allocation().response().ids()).isEqualTo(DeviceIdStrategy.INDEX);
  }

  @Test
  void flagsAndVariablesAreEnough() {
    var configuration =
        Configuration.begin(
            Map.of("mig-strategy", "mixed"), NO_VALUES, SettingsSource.none(), true, START);

    assertThat(configuration.settings().orElseThrow().offer().mig()).isEqualTo(MigStrategy.MIXED);
    assertThat(configuration.active())
        .isEqualTo(new ActiveConfiguration("no config file", null, START, List.of()));
  }

  @Test
  void nodeFeatureDiscoveryNeedsAFile_whichTheStandardOutputIsNot() {
    var configuration =
        Configuration.begin(
            Map.of("output-file", ""), NO_VALUES, SettingsSource.none(), true, START);

    assertThatThrownBy(configuration::featureFile)
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith("--output-file must be a path");
  }

  @Test
  void aBadFileStopsTheStart() {
    assertThatThrownBy(
            () -> Configuration.begin(NO_VALUES, NO_VALUES, FakeSource.of(BAD), true, START))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(WHY);
  }

  @Test
  void aFileThatIsNotThereStopsTheStart() {
    Path missing = folder.resolve("config.yaml");

    assertThatThrownBy(
            () ->
                Configuration.begin(
                    NO_VALUES, NO_VALUES, SettingsSource.file(missing), true, START))
        .hasMessage(missing + ": no such file");
  }

  @Test
  void aBadFlagStopsTheStart_whateverTheFileSays() {
    assertThatThrownBy(
            () ->
                Configuration.begin(
                    Map.of("mig-strategy", "both"), NO_VALUES, FakeSource.of(""), false, START))
        .hasMessage("--mig-strategy must be one of none, single, mixed, was \"both\"");
  }

  @Test
  void aBetterFileIsWaitedFor_whereTheNodeNamesIt() {
    var source = FakeSource.of(BAD);
    var configuration = Configuration.begin(NO_VALUES, NO_VALUES, source, false, START);
    assertThat(configuration.settings()).isEmpty();
    assertThat(configuration.active())
        .isEqualTo(new ActiveConfiguration("nothing was read yet", null, null, List.of(WHY)));

    source.write("version: v1");

    assertThat(configuration.refresh(START.plusSeconds(1))).isTrue();
    assertThat(configuration.active())
        .isEqualTo(new ActiveConfiguration("config.yaml", null, START.plusSeconds(1), List.of()));
  }

  @Test
  void whatWasInForceStays_whenTheFileBecomesBad() {
    var source = FakeSource.of("flags: {migStrategy: mixed}");
    var configuration = Configuration.begin(NO_VALUES, NO_VALUES, source, true, START);
    PluginSettings before = configuration.settings().orElseThrow();

    source.write(BAD);

    assertThat(configuration.refresh(START.plusSeconds(1))).isFalse();
    assertThat(configuration.settings()).contains(before);
    assertThat(configuration.active())
        .isEqualTo(new ActiveConfiguration("config.yaml", null, START, List.of(WHY)));
  }

  @Test
  void allIsWellAgain_whenAFileThatWasGoneIsBackAsItWas() throws IOException {
    Path file = Files.writeString(folder.resolve("config.yaml"), "version: v1");
    var configuration =
        Configuration.begin(NO_VALUES, NO_VALUES, SettingsSource.file(file), true, START);
    Files.delete(file);
    configuration.refresh(START.plusSeconds(1));
    assertThat(configuration.active().problems()).containsExactly(file + ": no such file");

    Files.writeString(file, "version: v1");

    assertThat(configuration.refresh(START.plusSeconds(2))).isFalse();
    assertThat(configuration.active())
        .isEqualTo(new ActiveConfiguration(file.toString(), null, START, List.of()));
  }

  @Test
  void whatIsWrongWithTheTextIsStillReported_afterTheSourceFailedMeanwhile() {
    var source = FakeSource.of("version: v1");
    var configuration = Configuration.begin(NO_VALUES, NO_VALUES, source, true, START);
    source.write(BAD);
    configuration.refresh(START.plusSeconds(1));
    source.fail("the API server is away");
    configuration.refresh(START.plusSeconds(2));
    assertThat(configuration.active().problems()).containsExactly("the API server is away");

    source.recover();
    configuration.refresh(START.plusSeconds(3));

    assertThat(configuration.active().problems()).containsExactly(WHY);
  }

  @Test
  void reportsWhyItIsInForce_alsoWhenTheReasonAloneChanges() {
    var source = FakeSource.of("");
    source.writeBecause("the label is a", "version: v1");
    var configuration = Configuration.begin(NO_VALUES, NO_VALUES, source, true, START);

    source.writeBecause("the default is a", "version: v1");

    assertThat(configuration.refresh(START.plusSeconds(1))).isFalse();
    assertThat(configuration.refresh(START.plusSeconds(2))).isFalse();
    assertThat(log.list)
        .extracting(ILoggingEvent::getFormattedMessage)
        .containsExactly(
            "device plugin: configuration in use: config.yaml: the label is a",
            "device plugin: configuration in use: config.yaml: the default is a");
    assertThat(configuration.active())
        .isEqualTo(new ActiveConfiguration("config.yaml", "the default is a", START, List.of()));
  }

  @Test
  void reportsWhyTheOldOneWasChosen_whileTheNewOneIsRefused() {
    var source = FakeSource.of("");
    source.writeBecause("the label is a", "version: v1");
    var configuration = Configuration.begin(NO_VALUES, NO_VALUES, source, true, START);

    source.writeBecause("the label is b", BAD);
    configuration.refresh(START.plusSeconds(1));

    assertThat(configuration.active())
        .isEqualTo(new ActiveConfiguration("config.yaml", "the label is a", START, List.of(WHY)));
  }

  @Test
  void anotherTextThatSaysTheSameIsNoChange() {
    var source = FakeSource.of("flags: {migStrategy: mixed}");
    var configuration = Configuration.begin(NO_VALUES, NO_VALUES, source, true, START);

    source.write("# a comment\nflags: {migStrategy: mixed}");

    assertThat(configuration.refresh(START.plusSeconds(1))).isFalse();
    assertThat(configuration.active())
        .isEqualTo(new ActiveConfiguration("config.yaml", null, START, List.of()));
  }

  @Test
  void anotherTextThatSaysOtherwiseIsInForceAtOnce() {
    var source = FakeSource.of("flags: {migStrategy: mixed}");
    var configuration = Configuration.begin(NO_VALUES, NO_VALUES, source, true, START);

    source.write("flags: {migStrategy: single}");

    assertThat(configuration.refresh(START.plusSeconds(1))).isTrue();
    assertThat(configuration.active().since()).isEqualTo(START.plusSeconds(1));
  }

  @Test
  void saysNothingOfAnApiServerThatNeedsAMoment_butOfOneThatStaysAway() {
    var source = FakeSource.of("");
    source.fail("the API server has not answered yet");
    var configuration = Configuration.begin(NO_VALUES, NO_VALUES, source, false, START);

    configuration.refresh(START.plusMillis(9_999));
    assertThat(log.list).isEmpty();
    assertThat(configuration.active().problems()).hasSize(1);

    configuration.refresh(START.plusSeconds(10));
    assertThat(log.list)
        .extracting(ILoggingEvent::getLevel, ILoggingEvent::getFormattedMessage)
        .containsExactly(
            tuple(
                Level.WARN,
                "device plugin: the API server has not answered yet (nothing is offered)"));
  }

  private static Logger logger() {
    return (Logger) LoggerFactory.getLogger(Configuration.class);
  }
}
