"""Acid and soda ash by PHREEQC (Parkhurst and Appelo, USGS) with its database phreeqc.dat, by the package phreeqpython.

    phreeqc.py FILE

FILE is a JSON array of waters: ph, celsius, target; and in mol/L alkalinity, calcium, sodium, chloride, cyanurate, borate.
Prints a JSON array of what brings each water to the target: mol/L of HCl, or of Na2CO3 if the target is above the pH.
"""
import json, sys
from phreeqpython import PhreeqPython

engine = PhreeqPython(database="phreeqc.dat").ip
# Cyanuric acid by O'Brien, Morris and Butler (1974), and the phase that PHREEQC's manual uses to set a pH.
engine.run_string("""
SOLUTION_MASTER_SPECIES
 Cya H3Cya 0 129.074 129.074
SOLUTION_SPECIES
 H3Cya = H3Cya
  log_k 0
 H3Cya = H2Cya- + H+
  log_k -6.88
 H3Cya = HCya-2 + 2 H+
  log_k -18.28
 H3Cya = Cya-3 + 3 H+
  log_k -31.78
PHASES
Fix_pH
 H+ = H+
 log_k 0
END
""")

amounts = []
for water in json.load(open(sys.argv[1])):
    chemical = "HCl" if water["target"] < water["ph"] else "Na2CO3"
    engine.run_string(f"""
SOLUTION 1
 temp {water["celsius"]}
 pH {water["ph"]}
 units mol/kgw
 Alkalinity {water["alkalinity"]}
 Ca {water["calcium"]}
 Na {water["sodium"]}
 Cl {water["chloride"]} charge
 Cya {water["cyanurate"]}
 B {water["borate"]}
END
USE solution 1
EQUILIBRIUM_PHASES 1
 Fix_pH {-water["target"]} {chemical} 10
SELECTED_OUTPUT 1
 -reset false
USER_PUNCH 1
 -headings amount
 10 PUNCH 10 - EQUI("Fix_pH")
END
""")
    amounts.append(engine.get_selected_output_array()[-1][0])
print(json.dumps(amounts))
