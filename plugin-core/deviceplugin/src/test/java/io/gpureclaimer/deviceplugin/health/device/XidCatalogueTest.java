package io.gpureclaimer.deviceplugin.health.device;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpureclaimer.deviceplugin.health.device.HealthChecks.XidCatalogue;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class XidCatalogueTest {

  @ParameterizedTest
  @ValueSource(ints = {13, 31, 43, 45, 68, 109})
  void whatNvidiasPluginIgnoresAsksForNothing(int xid) {
    assertThat(XidCatalogue.of(xid)).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(ints = {63, 92, 94, 154})
  void whatIsOverOrContainedAsksForNothing(int xid) {
    assertThat(XidCatalogue.of(xid)).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(ints = {48, 62, 64, 79, 95, 119, 120, 140})
  void whatNvidiaResetsNeedsAReset(int xid) {
    assertThat(XidCatalogue.of(xid)).contains(RecoveryCondition.RESET);
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 8, 32, 74, 149, 173, 999, 123_456})
  void whatRestartsAnApplication_orIsNotKnown_wantsTheDriversWord(int xid) {
    assertThat(XidCatalogue.of(xid)).contains(RecoveryCondition.ALL_CLEAR);
  }

  @Test
  void whatCountsByOrderIsCuredAsTheCatalogueHasIt() {
    assertThat(XidCatalogue.ifItCounts(109)).isEqualTo(RecoveryCondition.RESET);
    assertThat(XidCatalogue.ifItCounts(31)).isEqualTo(RecoveryCondition.ALL_CLEAR);
    assertThat(XidCatalogue.of(109)).isEqualTo(Optional.empty());
  }
}
