//go:build tools

// Names the program of VictoriaMetrics, so that go.mod pins what it is built from.
package tools

import _ "github.com/VictoriaMetrics/VictoriaMetrics/app/victoria-metrics"
