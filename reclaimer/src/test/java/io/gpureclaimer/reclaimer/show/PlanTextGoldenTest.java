package io.gpureclaimer.reclaimer.show;

import java.util.Optional;
import org.junit.jupiter.api.Test;

class PlanTextGoldenTest {

  @Test
  void aClusterInWhichEverythingHappens() {
    Golden.assertThatTextIs("plan.txt", PlanText.of(Reports.full()));
  }

  @Test
  void theSameClusterAfterTheDeeds() {
    Golden.assertThatTextIs("plan-acted.txt", PlanText.of(Reports.acted()));
  }

  @Test
  void theSameClusterAsJson() {
    Golden.assertThatTextIs("plan-acted.json", PlanJson.of(Reports.acted(), Optional.empty()));
  }

  @Test
  void theSameClusterUnseenAsJson() {
    Golden.assertThatTextIs("plan-blind.json", PlanJson.of(Reports.blind(), Optional.empty()));
  }

  @Test
  void theSameClusterUnseen() {
    Golden.assertThatTextIs("plan-blind.txt", PlanText.of(Reports.blind()));
  }

  @Test
  void noPodRequestsAGpu() {
    Golden.assertThatTextIs("plan-empty.txt", PlanText.of(Reports.empty()));
  }

  @Test
  void theSameClusterSeenByAClockThatIsWrong() {
    Golden.assertThatTextIs("plan-skewed.txt", PlanText.of(Reports.skewed()));
  }
}
