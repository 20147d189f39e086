package io.gpureclaimer.nvml;

import static io.gpureclaimer.nvml.NvmlContract.value;
import static io.gpureclaimer.nvml.NvmlStub.UNTOUCHED;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.gpureclaimer.nvml.FieldQuery.Field;
import io.gpureclaimer.nvml.FieldValue.Real;
import io.gpureclaimer.nvml.FieldValue.Signed;
import io.gpureclaimer.nvml.FieldValue.Unsigned;
import io.gpureclaimer.nvml.NvmlResult.Failed;
import io.gpureclaimer.nvml.NvmlResult.Unsupported;
import io.gpureclaimer.nvml.NvmlResult.Value;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Many fields in one call; through the real binding, against the C stub. */
class FieldValuesTest {
  private static final String FUNCTION = "nvmlDeviceGetFieldValues";
  private static final int DOUBLE = 0;
  private static final int UNSIGNED_INT = 1;
  private static final int UNSIGNED_LONG_LONG = 3;
  private static final FieldQuery THREE =
      new FieldQuery(List.of(Field.of(82), Field.of(200), Field.ofAllLinks(138)));

  @TempDir private static Path folder;
  private static NvmlStub stub;

  private NvmlStub.StubControl driver;
  private Nvml nvml;
  private GpuHandle gpu;

  @BeforeAll
  static void build() {
    stub = NvmlStub.build(folder);
  }

  @BeforeEach
  void open() {
    driver = stub.control();
    driver.stub_reset(2);
    nvml = Nvml.open(stub.lib());
    gpu = value(nvml.handle(0));
  }

  @AfterEach
  void close() {
    nvml.close();
  }

  @Test
  void aFieldIsAskedForUnderTheNumberThatItHasInThisDriver() {
    driver.stub_field(0, 251, 0, UNSIGNED_LONG_LONG, 7_000);
    driver.stub_field(0, 269, 0, UNSIGNED_INT, 1);
    var slowdown = new FieldQuery(List.of(Field.of(269)));

    assertThat(nvml.fieldValues(gpu, slowdown))
        .isEqualTo(new Value<>(List.of(new Value<>(new Unsigned(7_000)))));
    nvml.fieldValues(gpu, slowdown);
    assertThat(driver.stub_calls("nvmlSystemGetDriverVersion")).isEqualTo(1);
  }

  @Test
  void eachFieldHasAResultOfItsOwn_inOneCall() {
    driver.stub_field(0, 138, 999, 0, 0);

    assertThat(nvml.fieldValues(gpu, THREE))
        .isEqualTo(
            new Value<>(
                List.of(
                    new Value<>(new Unsigned(47)),
                    new Unsupported<>(),
                    new Failed<>(NvmlReturn.UNKNOWN, 999))));
    assertThat(driver.stub_calls(FUNCTION)).isEqualTo(1);
    assertThat(driver.stub_last_scope()).isEqualTo(0xFFFF_FFFF);
  }

  @ParameterizedTest(name = "code {0}")
  @ValueSource(ints = {1, 9})
  void oneFieldThatWantsASessionOrADriverEndsNoSession(int code) {
    driver.stub_field(0, 138, code, 0, 0);

    assertThat(nvml.fieldValues(gpu, THREE))
        .isEqualTo(
            new Value<>(
                List.of(
                    new Value<>(new Unsigned(47)),
                    new Unsupported<>(),
                    new Failed<>(NvmlReturn.of(code), code))));
  }

  @ParameterizedTest(name = "type {0}, bits {1}")
  @MethodSource
  void aNumberKeepsItsType(int type, long bits, NvmlResult<FieldValue> expected) {
    driver.stub_field(0, 7, 0, type, bits);

    assertThat(ask(7)).isEqualTo(expected);
  }

  static Stream<Arguments> aNumberKeepsItsType() {
    return Stream.of(
        Arguments.of(DOUBLE, Double.doubleToLongBits(1.5e-12), new Value<>(new Real(1.5e-12))),
        Arguments.of(DOUBLE, Double.doubleToLongBits(Double.NaN), new Unsupported<>()),
        Arguments.of(UNSIGNED_INT, 0xDEAD_BEEF_FFFF_FFFEL, new Value<>(new Unsigned(0xFFFF_FFFEL))),
        Arguments.of(UNSIGNED_INT, 0xFFFF_FFFFL, new Unsupported<>()),
        Arguments.of(2, -2L, new Value<>(new Unsigned(-2L))),
        Arguments.of(UNSIGNED_LONG_LONG, -1L, new Unsupported<>()),
        Arguments.of(4, -5L, new Value<>(new Signed(-5))),
        Arguments.of(5, 0xFFFF_FFFBL, new Value<>(new Signed(-5))),
        Arguments.of(6, 0xDEAD_BEEF_DEAD_FFFEL, new Value<>(new Unsigned(0xFFFE))),
        Arguments.of(6, 0xFFFFL, new Unsupported<>()),
        Arguments.of(42, 1L, new Failed<>(NvmlReturn.UNKNOWN, 999)));
  }

  @Test
  void unsignedNumbersBeyondTheSignedOnesAreReadAsNearAsCanBe() {
    assertThat(new Unsigned(Long.MIN_VALUE).real()).isEqualTo(0x1p63);
    assertThat(new Unsigned(7).real()).isEqualTo(7);
    assertThat(new Real(2.5).whole()).isEqualTo(3);
  }

  @Test
  void aRefusalIsTracedToItsFieldOnce_andTheOthersGoOnInOneCall() {
    driver.stub_refuse_field(200);

    for (int pass = 0; pass < 3; pass++) {
      assertThat(nvml.fieldValues(gpu, THREE))
          .isEqualTo(
              new Value<>(
                  List.of(
                      new Value<>(new Unsigned(47)),
                      new Unsupported<>(),
                      new Value<>(new Unsigned(7000)))));
    }
    assertThat(driver.stub_calls(FUNCTION)).isEqualTo(1 + 3 + 2);
  }

  @Test
  void nothingIsConcluded_whenEveryFieldIsRefused() {
    driver.stub_fail(FUNCTION, 0, 2);
    assertThat(nvml.fieldValues(gpu, THREE))
        .isEqualTo(new Failed<>(NvmlReturn.INVALID_ARGUMENT, 2));

    driver.stub_fail(FUNCTION, 0, 0);
    assertThat(value(nvml.fieldValues(gpu, THREE)).getFirst())
        .isEqualTo(new Value<>(new Unsigned(47)));
  }

  @Test
  void whatTheCallLeftAloneIsNotTakenForAnAnswer() {
    assertThat(ask(82)).isEqualTo(new Value<>(new Unsigned(47)));
    driver.stub_fail(FUNCTION, 0, UNTOUCHED);

    assertThat(ask(82)).isEqualTo(new Failed<>(NvmlReturn.UNKNOWN, 999));
  }

  @ParameterizedTest(name = "code {0}: {1}")
  @CsvSource({"15, GPU_IS_LOST", "999, UNKNOWN"})
  void theCallFailsAsAWhole(int code, NvmlReturn reason) {
    driver.stub_fail(FUNCTION, 0, code);

    assertThat(nvml.fieldValues(gpu, THREE)).isEqualTo(new Failed<>(reason, code));
    assertThat(driver.stub_calls(FUNCTION)).isEqualTo(1);
  }

  @Test
  void oneGpusRefusalIsNotAnothers() {
    GpuHandle other = value(nvml.handle(1));
    driver.stub_fail(FUNCTION, 0, 15);

    assertThat(value(nvml.fieldValues(other, THREE)).getFirst())
        .isEqualTo(new Value<>(new Unsigned(47)));
  }

  @Test
  void anEmptyQueryAsksNothing() {
    assertThat(nvml.fieldValues(gpu, new FieldQuery(List.of()))).isEqualTo(new Value<>(List.of()));
    assertThat(driver.stub_calls(FUNCTION)).isZero();
  }

  @Test
  void throws_whenTheSessionIsGone() {
    nvml.close();

    assertThatThrownBy(() -> nvml.fieldValues(gpu, THREE))
        .isInstanceOf(NvmlException.class)
        .hasMessage("nvmlDeviceGetFieldValues: the session is not open (code 1)");
  }

  private NvmlResult<FieldValue> ask(int id) {
    return value(nvml.fieldValues(gpu, new FieldQuery(List.of(Field.of(id))))).getFirst();
  }
}
