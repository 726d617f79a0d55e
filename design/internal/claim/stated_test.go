package claim

import (
	"testing"

	"sortkey.dev/design/internal/exact"
	"sortkey.dev/design/internal/model"
)

func stated(t *testing.T, text string) model.Stated {
	t.Helper()
	s, err := model.ParseStated(text)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func TestAgrees(t *testing.T) {
	for _, test := range []struct {
		says, is string
		want     bool
	}{
		{"$1.75", "1.7498", true},
		{"$1.75", "1.756", false},
		{"$0.009", "0.0087885", true},
		{"2", "2.49", true},
		{"2", "2.5", false},
		{"67", "67.5", true}, // a tie may be rounded either way
		{"68", "67.5", true},
		{"67", "67.51", false},
		{"67.4", "67.45", true},
		{"49", "49.5", false},
		{"50", "50.5", true},
		{"25%", "25%", true},
		{"25%", "0.289", false},
		{"28.9%", "0.28888", true},
		{"65.7M", "65700000", true},
		{"65.7M", "65740000", true},
		{"65.7M", "65760000", false},
		{"1,000", "1000", true},
		{"~170", "166.7", true},
		{"~170", "140", false},
		{"~$0.01", "0.0116235", true},
		{"< 10", "9.99", true},
		{"<10", "10", false},
		{"> 3", "3.1", true},
		{">3", "3", false},
		{"< 1GB", "0.5", true},
		{"< 1GB", "600MB", true},
		{"< 1GB", "2GB", false},
		{"400KB", "limit(item)", true},
		{"400KB", "0.4MB", false},
		{"400", "limit(item)", true},
		{"~0.6km", "cell_height(0, 6)", true},
		{"90d", "seconds(90d)", false},
		{"90d", "2160h", true},
		{"u3qcnh", "geohash(52.2297, 21.0122, 6)", true},
		{"u3qcnm", "geohash(52.2297, 21.0122, 6)", false},
		{"-5", "2 - 7", true},
	} {
		result, bad := compute(test.is, bare())
		if bad != nil {
			t.Fatalf("%s: %s", test.is, bad.message)
		}
		got, comparable := agrees(stated(t, test.says), result)
		if !comparable || got != test.want {
			t.Errorf("says %s, is %s: agrees %v (comparable %v), want %v", test.says, test.is, got, comparable, test.want)
		}
	}
}

func TestNotComparable(t *testing.T) {
	if _, comparable := agrees(stated(t, "a few"), plain(exact.One)); comparable {
		t.Error("a text was compared with a number")
	}
}

func TestShow(t *testing.T) {
	for _, test := range []struct{ says, is, want, apart string }{
		{"$20.25", "2.847", "$2.85", ": 7.1 times too much"},
		{"$0.125", "4.6875", "$4.688", ": 38 times too little"},
		{"9", "207", "207", ": 23 times too little"},
		{"1", "37.5", "37.5", ": 38 times too little"},
		{"25%", "0.28888", "28.9%", ": 13% too little"},
		{"2.16M", "65700000", "65.70M", ": 30 times too little"},
		{"5GB", "0.929", "0.929 GB", ": 5.4 times too much"},
		{"100", "1234567", "1,234,567", ": 12,346 times too little"},
		{"$4.05", "4.051", "$4.05", ": less than 1% too little"},
		{"$0.01", "0.0000123", "$0.0000123", ": 813 times too much"},
		{"7", "0", "0", ""},
		{"$1.25", "0", "$0.00", ""},
		{"~50MB", "100000 * 1048B", "99.9 MB", ": 2 times too little"},
		{"1h", "90d", "2,160 h", ": 2,160 times too little"},
		{"1", "400KB", "400 KB", ": 400 times too little"},
	} {
		result, bad := compute(test.is, bare())
		if bad != nil {
			t.Fatalf("%s: %s", test.is, bad.message)
		}
		says := stated(t, test.says)
		if got := show(result, says); got != test.want {
			t.Errorf("says %s, is %s: shown as %s, want %s", test.says, test.is, got, test.want)
		}
		if got := apart(says, result); got != test.apart {
			t.Errorf("says %s, is %s: %q, want %q", test.says, test.is, got, test.apart)
		}
	}
}
